import type { IncreaseRecord } from '../../core/index.ts'
import { recordRequest } from './history/record-scope.ts'
import type { Ledger } from './state/ledger.ts'
import type { ScopeState } from './state/ledger-state.ts'

/** Stores the current state of a request and notifies the scope's owner. */
export function keepRequest(ledger: Ledger, scope: ScopeState, request: IncreaseRecord, at: number): void {
  ledger.requests.set(request)
  recordRequest(ledger, scope, request, at)
  ledger.changes?.request(request)
  ledger.changes?.append(scope, { kind: request.status === 'open' ? 'asked' : 'answered', at, request })
  ledger.steered(scope)
}
