import { printable } from '../../core/printable.ts'
import type { RunState } from '../../gateway/exec/index.ts'
import type { Paint } from '../output/paint.ts'

/** The notices of a run as lines, each once. */
export interface NoticeLines {
  /** Those that were not asked for before. */
  unsaid(state: Pick<RunState, 'notices'>): readonly string[]
}

export function createNoticeLines(paint: Paint): NoticeLines {
  let said = 0
  return {
    unsaid({ notices }) {
      const lines = notices.slice(said).map(({ message }) => paint.yellow(`stint: ${printable(message)}`))
      said = notices.length
      return lines
    },
  }
}
