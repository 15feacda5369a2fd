import { InvalidOptionError, type Limit } from '../core/index.ts'
import {
  type LimitsInput,
  type Notice,
  type ParsedLimits,
  parseLimits,
  type ResolvedLimits,
  resolveLimits,
  type SetEntry,
} from '../policy/index.ts'
import { applyLimits, type ChangeLimits } from './apply-limits.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** Who writes limits anew: for the record, and so that a refusal names the call to change. */
export interface RaisedBy {
  readonly by: string | null
  readonly call: 'scope.raise' | 'governor.budget'
}

/**
 * Writes limits of a running scope anew: only those that are named change, never above an operator's ceiling, and what
 * is not written about one of them (its action, its thresholds, its time zone) stays as it was.
 */
export async function raiseLimits(runtime: ScopeRuntime, input: LimitsInput, { by, call }: RaisedBy): Promise<void> {
  const parsed = parseLimits(input, { layer: 'call', call, field: 'limits' })
  refuseDefaultsAlone(parsed, input, call)
  const { limits: written, removed } = resolveLimits([parsed])
  const change: ChangeLimits = (present) => {
    const kept = present.filter(
      (old) => !removed.some(({ meter }) => meter === old.meter) && !written.some((next) => isSameLimit(old, next)),
    )
    return [...kept, ...written.map((next) => completedFrom(present, runtime.resolved, parsed, next))]
  }
  await applyLimits(runtime, change, by)
  forgetNotices(runtime, written)
}

/** What was said of the limit that stood here before does not hold for the new one. */
function forgetNotices(runtime: ScopeRuntime, changed: readonly Limit[]): void {
  const isOld = ({ kind, meter, per }: Notice): boolean =>
    kind === 'unpriced-model' && changed.some((limit) => limit.meter === meter && limit.per === per)
  const notices = runtime.resolved.notices.filter((notice) => !isOld(notice))
  runtime.resolved = { ...runtime.resolved, notices }
}

function completedFrom(present: readonly Limit[], resolved: ResolvedLimits, parsed: ParsedLimits, next: Limit): Limit {
  const old = present.find((each) => isSameLimit(each, next))
  const entry = parsed.entries.find(({ source }) => source === next.source) as SetEntry | undefined
  const ceilings = resolved.ceilings.filter((ceiling) => isSameLimit(ceiling, next))
  return {
    ...next,
    max: Math.min(next.max, ...ceilings.map(({ max }) => max)),
    action: entry?.action ?? parsed.onLimit?.action ?? old?.action ?? resolved.onLimit,
    nearing: entry?.nearing ?? parsed.nearing?.thresholds ?? old?.nearing ?? next.nearing,
    timeZone: entry?.timeZone ?? parsed.timeZone?.name ?? old?.timeZone ?? next.timeZone,
  }
}

/** Defaults are for the limits that are named beside them: alone they would change nothing, and nobody would notice. */
function refuseDefaultsAlone(parsed: ParsedLimits, input: LimitsInput, call: RaisedBy['call']): void {
  const hasDefaults = parsed.onLimit !== null || parsed.nearing !== null || parsed.timeZone !== null
  if (parsed.entries.length > 0 || !hasDefaults) return
  const form = "limits that name a meter, e.g. { toolCalls: { max: 10, action: 'warn' } }"
  throw new InvalidOptionError(`${call}({ limits })`, input, form)
}

function isSameLimit(left: Limit, right: Limit): boolean {
  return left.meter === right.meter && left.per === right.per
}
