import { printable } from '../../core/checks/printable.ts'
import type { RunState } from '../../exec/index.ts'
import type { Paint } from '../output/paint.ts'

/** The notices of a run as lines, each once. */
export interface NoticeLines {
  /** The notices since the last call. */
  unshown(state: Pick<RunState, 'notices'>): readonly string[]
}

export function createNoticeLines(paint: Paint): NoticeLines {
  let shown = 0
  return {
    unshown({ notices }) {
      const lines = notices.slice(shown).map(({ message }) => paint.yellow(`stint: ${printable(message)}`))
      shown = notices.length
      return lines
    },
  }
}
