import { useId, useState } from 'preact/hooks'
import type { IncreaseRequest } from '../../../../src/server/contract.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Plain } from '../../components/plain.tsx'
import { showToast } from '../../components/toast.ts'
import { callApi } from '../../data/call-api.ts'
import { amountText } from '../../format/amount-text.ts'
import { readAmount, writtenAmount } from '../../format/limit-text.ts'

interface GrantPartDialogProps {
  readonly request: IncreaseRequest
  readonly onClose: () => void
}

/** Asks how much of a request is granted. */
export function GrantPartDialog({ request, onClose }: GrantPartDialogProps) {
  const { id: requestId, asked, unit, meter, scopePath } = request
  const id = useId()
  const [text, setText] = useState(() => writtenAmount(Math.max(1, Math.floor(asked / 2)), unit))
  const grant = async (): Promise<void> => {
    const amount = readAmount(text, unit)
    if (amount === null) throw new Error(`"${text}" is not an amount. Write for example ${writtenAmount(asked, unit)}.`)
    await callApi('POST /api/requests/:id/approve', { params: { id: requestId }, body: { amount } })
    showToast(`Granted ${amountText(amount, unit)} more of ${meter}.`)
  }
  return (
    <Dialog title="Approve a part" confirm="Approve" onClose={onClose} onConfirm={grant}>
      <p>
        <Plain text={scopePath} /> asks for {amountText(asked, unit)} more {meter}.
      </p>
      <div class="field">
        <label for={id}>Grant {unit === 'nanoUsd' ? 'in dollars' : meter}</label>
        <input
          id={id}
          class="input"
          inputMode={unit === 'nanoUsd' ? 'decimal' : 'text'}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
    </Dialog>
  )
}
