import { isOneOf } from '../../../core/checks/is-one-of.ts'
import { readMarks } from '../../tasks/transcript.ts'

/** The checks that an answer goes through. */
const CHECKS = ['completion', 'schema', 'acceptance'] as const

export type CheckName = (typeof CHECKS)[number]

/** `attempt`: a contract rejected the work, and it is tried again. */
export type SentBackBy = CheckName | 'attempt'

/** How often answers of a run were sent back, including by earlier processes. */
export interface SentBack {
  /** By this check, in the current attempt. */
  by(name: CheckName): number
  /** By this check, in total. */
  inAll(name: CheckName): number
  /** Attempts that were rejected. */
  attempts(): number
  /** By all checks: distinguishes an answer of a run from others. */
  total(): number
  add(by: SentBackBy): void
}

/** Continues from the counts in a transcript. */
export function createSentBack(transcript: string): SentBack {
  const current = new Map<CheckName, number>()
  const all = new Map<CheckName, number>()
  let attempts = 0
  let total = 0
  const add = (by: SentBackBy): void => {
    total++
    if (by === 'attempt') {
      attempts++
      current.clear()
      return
    }
    current.set(by, (current.get(by) ?? 0) + 1)
    all.set(by, (all.get(by) ?? 0) + 1)
  }
  const names = [...CHECKS, 'attempt'] as const
  for (const mark of readMarks(transcript, 'sentBackBy')) if (isOneOf(mark, names)) add(mark)
  return {
    by: (name) => current.get(name) ?? 0,
    inAll: (name) => all.get(name) ?? 0,
    attempts: () => attempts,
    total: () => total,
    add,
  }
}
