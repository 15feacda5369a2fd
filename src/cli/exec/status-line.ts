import { printable } from '../../core/checks/printable.ts'
import type { GovernedRun, RunState } from '../../exec/index.ts'
import { countText } from '../../operate/count-text.ts'
import { fitParts } from '../output/fit-text.ts'
import { standingParts } from './exec-summary.ts'

/** A line with the state of a run, redrawn in place. */
export interface StatusLine {
  /** Draws it again, at most once a second. */
  show(state: RunState): void
  /** Prints a line above it. */
  say(text: string): void
  clear(): void
}

const EVERY_MS = 1000
const CLEAR = '\r\u001b[2K'

/** A status line on a terminal. The cursor returns to its start, so that other output covers it. */
export function createStatusLine(
  run: GovernedRun,
  write: (text: string) => void,
  monotonicMs: () => number,
  columns: () => number,
): StatusLine {
  let shownAtMs = Number.NEGATIVE_INFINITY
  let isShown = true
  return {
    show(state) {
      if (monotonicMs() - shownAtMs < EVERY_MS) return
      shownAtMs = monotonicMs()
      const draw = (standing: readonly string[]): void => {
        const head = [printable(`stint: ${run.path} ${state.status}`), countText(state.calls, 'call')]
        if (isShown) write(`${CLEAR}${fitParts([...head, ...standing], ' · ', columns() - 1)}\r`)
      }
      run.usage().then(
        (usage) => draw(standingParts(usage)),
        // The next one may know more.
        () => {},
      )
    },
    say: (text) => write(`${shownAtMs > Number.NEGATIVE_INFINITY ? CLEAR : ''}${text}\n`),
    clear() {
      isShown = false
      if (shownAtMs > Number.NEGATIVE_INFINITY) write(CLEAR)
    },
  }
}
