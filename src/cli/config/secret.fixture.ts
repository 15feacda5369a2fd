import { expect } from 'vitest'
import { isStintError } from '../../core/index.ts'
import { errorJson, errorText } from '../output/error-text.ts'

/** Stands where a key could stand. */
export const CANARY = 'sk-canary-123'

/** Expects that a config is refused with a message, and that nothing that is shown of it holds the canary. */
export function expectDiscreetRefusal(parse: () => unknown, message: string): void {
  let thrown: unknown = null
  try {
    parse()
  } catch (error) {
    thrown = error
  }
  expect(isStintError(thrown, 'invalid_config')).toBe(true)
  expect(errorText(thrown)).toContain(message)
  for (const text of [errorText(thrown), errorJson(thrown), JSON.stringify(thrown)]) expect(text).not.toContain(CANARY)
}
