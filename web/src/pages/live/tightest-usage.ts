import type { RowUsage, ScopeRow } from '../../../../src/server/contract.ts'
import type { MeterState } from '../../components/meter-bar.tsx'

export interface TightUsage extends MeterState {
  /** As it was written: `turns`, `cost/day`. */
  readonly name: string
  readonly resetsAt: number | null
}

/** The limit of a scope with the smallest share left; `null` without a limit. */
export function tightestUsage({ usage }: ScopeRow): TightUsage | null {
  let tightest: TightUsage | null = null
  for (const [meter, row] of Object.entries(usage)) {
    const found = limited(meter, row)
    if (found !== null && (tightest === null || shareLeft(found) < shareLeft(tightest))) tightest = found
  }
  return tightest
}

function limited(meter: string, { limit, remaining, per, written, ...row }: RowUsage): TightUsage | null {
  if (limit === null) return null
  const name = written ?? meter
  return { ...row, limit, remaining: remaining ?? 0, name: per === null ? name : `${name}/${per}` }
}

function shareLeft({ remaining, limit }: TightUsage): number {
  return limit === 0 ? 0 : remaining / limit
}

/** How many limits a scope has. */
export function limitCount({ usage }: ScopeRow): number {
  return Object.values(usage).filter(({ limit }) => limit !== null).length
}
