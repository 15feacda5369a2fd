import { printable } from '../../core/printable.ts'
import type { GovernedRun, RunState } from '../../gateway/exec/index.ts'
import { countText } from '../output/count-text.ts'
import { standingText } from './exec-summary.ts'

/** A line that tells how a run stands, written over itself. */
export interface StatusLine {
  /** Draws it anew, at most once a second. */
  show(state: RunState): void
  clear(): void
}

const EVERY_MS = 1000
const LONGEST = 120
const CLEAR = '\r\u001b[2K'

/** A status line on a terminal. The cursor goes back to its start, so that what others write there covers it. */
export function createStatusLine(
  run: GovernedRun,
  write: (text: string) => void,
  monotonicMs: () => number,
): StatusLine {
  let shownAtMs = Number.NEGATIVE_INFINITY
  let isShown = true
  return {
    show(state) {
      if (monotonicMs() - shownAtMs < EVERY_MS) return
      shownAtMs = monotonicMs()
      const draw = (standing: string): void => {
        const text = printable(`stint: ${run.path} ${state.status} · ${countText(state.calls, 'call')} · ${standing}`)
        if (isShown) write(`${CLEAR}${text.slice(0, LONGEST)}\r`)
      }
      run.usage().then(
        (usage) => draw(standingText(usage)),
        // The next one may know more.
        () => {},
      )
    },
    clear() {
      isShown = false
      if (shownAtMs > Number.NEGATIVE_INFINITY) write(CLEAR)
    },
  }
}
