import { InvalidOptionError, isStintError } from '../../core/index.ts'
import { amountFromText } from './amount-from-text.ts'

/** A duration as users write it, in milliseconds: `90d`, `30s`; never zero. `form` completes "… must be". */
export function durationFromText(flag: string, text: string, form: string): number {
  try {
    const milliseconds = amountFromText('wallTime', text, flag)
    if (milliseconds > 0) return milliseconds
  } catch (error) {
    if (!isStintError(error)) throw error
  }
  throw new InvalidOptionError(flag, text, form)
}
