import { balanceKey, type IncreaseRecord, type Limit, type ScopeReading } from '../../core/index.ts'

/** The limit that a request is about; if the scope no longer has it, a stand-in named after its meter. */
export function requestedLimit(
  scope: ScopeReading | null,
  { scopeId, key, meter, per }: IncreaseRecord,
): Pick<Limit, 'source' | 'per'> {
  const limit = scope?.limits.find((reading) => balanceKey(scopeId, reading.limit) === key)?.limit
  return limit ?? { source: { layer: 'call', written: meter }, per }
}
