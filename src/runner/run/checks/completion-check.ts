import { claimsUndoneWork, GUARD_TEXT } from '../end/completion-guard.ts'
import type { SavedRun } from '../record/saved-run.ts'
import type { RunTools } from '../run-tools.ts'
import type { AnswerCheck } from './answer-check.ts'

/** Asks an agent once more if it claims work that it cannot have done. */
export function completionCheck(run: SavedRun, { declarations }: RunTools): AnswerCheck {
  return {
    name: 'completion',
    tries: 1,
    async check({ text, messages }) {
      // Never twice: its own message is then part of the conversation.
      if (!claimsUndoneWork({ run, declarations, messages, answer: text })) return { kind: 'passed' }
      return { kind: 'refused', text: GUARD_TEXT, error: new Error(GUARD_TEXT) }
    },
  }
}
