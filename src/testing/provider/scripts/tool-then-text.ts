import type { ProviderScript } from '../provider-turn.ts'
import { closingNeed, type LoopOptions, loopForEver } from './loop-for-ever.ts'

/**
 * Calls tools for a number of rounds, then answers with the closing text. It counts the rounds in the conversation
 * itself, so that many clients can share it and a retry gets the same answer.
 */
export function toolThenText(rounds: number, options: LoopOptions = {}): ProviderScript {
  const loop = loopForEver(options)
  const { closing = 'Done.' } = options
  return (request) => {
    if (typeof loop !== 'function' || request.toolRounds >= rounds || !request.mayCallTools) {
      return { text: closing, ...closingNeed(request, options) }
    }
    return loop(request)
  }
}
