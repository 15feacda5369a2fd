import { edgeOf } from '../../governor/edge.ts'
import type { KnownRun } from './create-runs.ts'
import type { GovernedRun } from './governed-run.ts'

/** A run whose scope is owned by this process. */
export function localRun(run: KnownRun, gatewayUrl: string, token: string): GovernedRun {
  const { scope, key } = run
  return {
    id: scope.id,
    path: scope.path,
    gatewayUrl,
    key,
    token,
    look: async () => run.state(),
    usage: () => scope.usage(),
    touch: run.touch,
    async close(status) {
      run.forget()
      await edgeOf(scope).endAs(status, 'closed')
    },
  }
}
