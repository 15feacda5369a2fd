import { useStore } from '../data/use-store.ts'
import { LimitsDialog } from './limits-dialog.tsx'
import { ResumeDialog } from './resume-dialog.tsx'
import { openDialog } from './scope-dialogs.ts'
import { StopDialog } from './stop-dialog.tsx'

const DIALOGS = { stop: StopDialog, limits: LimitsDialog, resume: ResumeDialog } as const

/** The dialog about a scope that is open, above the page: its row may be gone by the time it is answered. */
export function OpenDialogs() {
  const open = useStore(openDialog)
  if (open === null) return null
  const Opened = DIALOGS[open.kind]
  return <Opened scope={open.scope} onClose={() => openDialog.write(null)} />
}
