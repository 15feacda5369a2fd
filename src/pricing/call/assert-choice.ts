import { suggestName } from '../../core/checks/suggest-name.ts'
import { InvalidCallError } from './invalid-call-error.ts'

export interface ChoiceQuestion<Word extends string> {
  readonly place?: string
  readonly field: string
  readonly value: unknown
  readonly words: readonly Word[]
}

/** Throws `InvalidCallError` unless `value` is one of `words`: a misspelled choice must never mean the weaker one. */
export function assertChoice<Word extends string>(question: ChoiceQuestion<Word>): void {
  const { field, value, words } = question
  for (const word of words) if (word === value) return
  const quoted = words.map((word) => `"${word}"`)
  const nearest = typeof value === 'string' ? suggestName(value, words) : null
  throw new InvalidCallError({
    ...question,
    reason: `it must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`,
    suggestion: nearest === null ? null : `"${nearest}"`,
    validForm: `${field}: ${quoted.at(-1)}`,
  })
}
