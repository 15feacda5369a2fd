import { useId, useState } from 'preact/hooks'
import type { Limit } from '../../../src/server/contract.ts'
import { Dialog } from '../components/dialog.tsx'
import { Plain } from '../components/plain.tsx'
import { showToast } from '../components/toast.ts'
import { Words } from '../components/words.tsx'
import { callApi } from '../data/call-api.ts'
import { useAnswer } from '../data/use-answer.ts'
import { amountText } from '../format/amount-text.ts'
import { limitName } from '../format/limit-name.ts'
import { writtenAmount } from '../format/limit-text.ts'
import './limits-dialog.css'
import type { SteeredScope } from './scope-dialogs.ts'

/** Changes limits of a scope: one field for each, and one for a new one. */
export function LimitsDialog({ scope, onClose }: { readonly scope: SteeredScope; readonly onClose: () => void }) {
  const { value, problem } = useAnswer('GET /api/scopes/:id', { params: { id: scope.id } })
  const [written, setWritten] = useState<Readonly<Record<string, string>>>({})
  const [added, setAdded] = useState('')
  const id = useId()
  const limits = value?.scope.limits ?? []
  const save = async (): Promise<void> => {
    const changed = limits.filter((limit) => isChanged(limit, written[limitName(limit)]))
    const texts = changed.map((limit) => textOf(limit, written[limitName(limit)] ?? ''))
    const more = added.split(/[\s,]+/).filter((part) => part !== '')
    if (texts.length + more.length === 0) return
    const change = (limits: readonly string[]) =>
      callApi('POST /api/scopes/:id/limits', { params: { id: scope.id }, body: { limits } })
    await change([...texts, ...more])
    const before = changed.map((limit) => textOf(limit, writtenAmount(limit.limit, limit.unit)))
    // A limit that was added can be changed, but not taken away again.
    const undo = more.length > 0 ? null : async () => void (await change(before))
    showToast(`Changed the limits of ${scope.name}.`, { undo })
  }
  // It opens once its fields are known: they must not move what is being typed.
  if (value === null && problem === null) return null
  return (
    <Dialog title="Change limits" confirm="Change" onClose={onClose} onConfirm={save}>
      <p class="soft">
        <Plain text={value?.scope.path ?? scope.name} />
      </p>
      {problem !== null && (
        <p class="problem">
          <Words text={problem} />
        </p>
      )}
      <div class="limit-fields">
        {limits.map((limit) => (
          <LimitField
            key={limitName(limit)}
            limit={limit}
            text={written[limitName(limit)] ?? writtenAmount(limit.limit, limit.unit)}
            onInput={(text) => setWritten({ ...written, [limitName(limit)]: text })}
          />
        ))}
      </div>
      <div class="field">
        <label for={id}>Another limit</label>
        <input
          id={id}
          class="input"
          placeholder="turns=25 or cost=5/day"
          value={added}
          onInput={(event) => setAdded(event.currentTarget.value)}
        />
      </div>
    </Dialog>
  )
}

function isChanged({ limit, unit }: Limit, text: string | undefined): boolean {
  return text !== undefined && text.trim() !== writtenAmount(limit, unit)
}

/** As on the command line: `cost=5/day`. */
function textOf({ source, per }: Limit, amount: string): string {
  return `${source.written}=${amount.trim()}${per === null ? '' : `/${per}`}`
}

interface LimitFieldProps {
  readonly limit: Limit
  readonly text: string
  readonly onInput: (text: string) => void
}

function LimitField({ limit, text, onInput }: LimitFieldProps) {
  const id = useId()
  return (
    <div class="row">
      <label for={id}>
        {limitName(limit)}
        <small>
          {amountText(limit.settled, limit.unit)} of {amountText(limit.limit, limit.unit)} settled
        </small>
      </label>
      <input
        id={id}
        class="input number"
        value={text}
        required
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  )
}
