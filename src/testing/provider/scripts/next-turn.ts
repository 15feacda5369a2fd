import { badRequest } from '../provider-refusal.ts'
import type { ProviderRequest } from '../provider-request.ts'
import type { ProviderScript, ProviderTurn } from '../provider-turn.ts'

/** Reads a script turn by turn. After the last one, requests are refused with status 400, which clients don't retry. */
export function createTurns(
  script: ProviderScript,
): (request: ProviderRequest) => ProviderTurn | Promise<ProviderTurn> {
  let used = 0
  return (request) => {
    if (typeof script === 'function') return script(request)
    used++
    return script[used - 1] ?? badRequest(`The script has ended: it has no turn for request ${used} that it answers.`)
  }
}
