import { Dialog } from '../components/dialog.tsx'
import { Plain } from '../components/plain.tsx'
import { showToast } from '../components/toast.ts'
import { callApi } from '../data/call-api.ts'
import type { SteeredScope } from './scope-dialogs.ts'

/** Asks before a run is stopped: there is no way back. */
export function StopDialog({ scope, onClose }: { readonly scope: SteeredScope; readonly onClose: () => void }) {
  const stop = async (): Promise<void> => {
    const { stopped } = await callApi('POST /api/scopes/:id/stop', { params: { id: scope.id }, body: {} })
    const others = stopped.length - 1
    showToast(`Stopped ${scope.name}${others > 0 ? ` and ${others} below it` : ''}.`)
  }
  return (
    <Dialog title="Stop this run?" confirm="Stop" isDangerous onClose={onClose} onConfirm={stop}>
      <p>
        This ends <Plain text={scope.name} /> and everything below it. It hands back what it has, and cannot be resumed.
        To hold it for a while, pause it instead.
      </p>
    </Dialog>
  )
}
