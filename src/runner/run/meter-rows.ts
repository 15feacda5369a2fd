import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import type { MeterRow } from './run-progress.ts'

/** The limits of a scope, from what is known here: the ledger isn't asked just for display. */
export function meterRows(scope: Scope): readonly MeterRow[] {
  return edgeOf(scope)
    .knownMeters()
    .map(({ meter, written, limit, settled }) => ({ meter, name: written, used: settled, max: limit }))
}
