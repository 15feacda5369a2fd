import { limitPhrase, type ReachedLimit } from './reached-limit.ts'

/** The result of a tool call that was still unanswered when a limit was reached. */
export function notRunResult(breach: Pick<ReachedLimit, 'meter' | 'limit' | 'per' | 'action'>): string {
  const phrase = limitPhrase(breach)
  if (breach.action === 'pause' || breach.action === 'ask') {
    return `Not run: the run was paused at ${phrase}. Once it goes on, call this again if you still need it.`
  }
  return `Not run: ${phrase} was reached. Do not call it again; answer with what you have and what is missing.`
}
