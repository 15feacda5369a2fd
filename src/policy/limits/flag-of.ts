import { showValue } from '../../core/errors.ts'

/** The flag as it was given: its name, followed by the text unless it already ends with it. */
export function flagOf(flag: string | undefined, text: unknown): string | undefined {
  if (flag === undefined) return undefined
  const given = typeof text === 'string' && text.length <= 80 && !/\p{Cc}/u.test(text) ? text : showValue(text)
  return flag.endsWith(given) ? flag : `${flag} ${given}`
}
