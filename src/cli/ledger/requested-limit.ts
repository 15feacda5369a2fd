import { balanceKey, type IncreaseRecord, type LedgerStore, type Limit, type ScopeReading } from '../../core/index.ts'

/** The limit that a request is about, for its name; one with the name of the meter where the ledger has it no more. */
export async function requestedLimit(
  store: LedgerStore,
  request: IncreaseRecord,
  atMs: number,
): Promise<Pick<Limit, 'source' | 'per'>> {
  const path = await store.read({ scopeId: request.scopeId, atMs })
  return limitRequestedOf(path?.at(-1) ?? null, request)
}

/** Why it asks, in its own words; `–` where it only has those of the refusal, which say the same as its other facts. */
export function reasonOf({ reason }: IncreaseRecord, { source }: Pick<Limit, 'source'>): string {
  return reason.startsWith(`The ${source.written} limit of "`) ? '–' : reason
}

/** The same of a scope that was read. */
export function limitRequestedOf(
  scope: ScopeReading | null,
  { scopeId, key, meter, per }: IncreaseRecord,
): Pick<Limit, 'source' | 'per'> {
  const limit = scope?.limits.find((reading) => balanceKey(scopeId, reading.limit) === key)?.limit
  return limit ?? { source: { layer: 'call', written: meter }, per }
}
