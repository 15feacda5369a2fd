import type { IncreaseRequest } from '../../../../src/server/contract.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Plain } from '../../components/plain.tsx'
import { showToast } from '../../components/toast.ts'
import { callApi } from '../../data/call-api.ts'

interface DenyDialogProps {
  readonly request: IncreaseRequest
  readonly onClose: () => void
}

/** Asks before a request is denied: the agent ends with what it has. */
export function DenyDialog({ request, onClose }: DenyDialogProps) {
  const deny = async (): Promise<void> => {
    await callApi('POST /api/requests/:id/deny', { params: { id: request.id }, body: {} })
    showToast('Denied the request.')
  }
  return (
    <Dialog title="Deny this request?" confirm="Deny" isDangerous onClose={onClose} onConfirm={deny}>
      <p>
        <Plain text={request.scopePath} /> then ends at its limit, with one closing answer of what it has.
      </p>
    </Dialog>
  )
}
