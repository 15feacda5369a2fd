import { limitPhrase, type ReachedLimit } from './reached-limit.ts'

/** What the model is told for its closing call. */
export function wrapUpText(breach: Pick<ReachedLimit, 'meter' | 'limit' | 'per'>): string {
  return (
    `You have reached ${limitPhrase(breach)}. This is your last message: do not call any tool. ` +
    'Give what you have so far, then say what is missing and what the next steps are.'
  )
}

/** What the model is told where its closing answer was empty, or too long for what is left. */
export function shortWrapUpText(breach: Pick<ReachedLimit, 'meter' | 'limit' | 'per'>): string {
  return `${wrapUpText(breach)} Answer in at most 100 words.`
}
