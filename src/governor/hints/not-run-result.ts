import { limitPhrase, type ReachedLimit } from './reached-limit.ts'

const ONCE_IT_RESUMES = 'Once it resumes, call this again if you still need it.'

/** The result of a tool call that was unanswered when a limit was reached, or when a person paused the run. */
export function notRunResult(breach: Pick<ReachedLimit, 'meter' | 'limit' | 'per' | 'action'> | null): string {
  if (breach === null) return `Not run: the run was paused. ${ONCE_IT_RESUMES}`
  const phrase = limitPhrase(breach)
  if (breach.action === 'pause' || breach.action === 'ask') {
    return `Not run: the run was paused at ${phrase}. ${ONCE_IT_RESUMES}`
  }
  return `Not run: ${phrase} was reached. Do not call it again; answer with what you have and what is missing.`
}
