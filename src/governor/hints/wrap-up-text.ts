import type { Breach, Meter } from '../../core/index.ts'
import { limitPhrase } from './reached-limit.ts'

/** The instruction for the closing call. */
export function wrapUpText(breach: Pick<Breach, 'limit' | 'per'> & { readonly meter: Meter | 'repeat' }): string {
  return (
    `You have reached ${limitPhrase(breach)}. This is your last message: do not call any tool. ` +
    'Give what you have so far, then say what is missing and what the next steps are.'
  )
}

/** The instruction after a closing answer that was empty, or too long for what is left. */
export function shortWrapUpText(breach: Parameters<typeof wrapUpText>[0]): string {
  return `${wrapUpText(breach)} Answer in at most 100 words.`
}
