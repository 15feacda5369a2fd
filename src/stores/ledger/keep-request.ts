import type { IncreaseRecord } from '../../core/index.ts'
import type { Ledger } from './ledger.ts'
import type { ScopeState } from './ledger-state.ts'

/** Keeps a request as it is now, and tells whoever runs the scope. */
export function keepRequest(ledger: Ledger, scope: ScopeState, request: IncreaseRecord, at: number): void {
  ledger.requests.set(request)
  ledger.changes?.request(request)
  ledger.changes?.append(scope, { kind: request.status === 'open' ? 'asked' : 'answered', at, request })
  ledger.steered(scope)
}
