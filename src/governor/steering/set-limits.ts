import { InvalidOptionError, type Limit } from '../../core/index.ts'
import {
  type LimitsInput,
  type Notice,
  type ParsedLimits,
  parseLimits,
  resolveLimits,
  rewriteLimits,
} from '../../policy/index.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import { applyLimits } from './apply-limits.ts'

/** Who writes limits anew: for the record, and so that a refusal names the call to change. */
export interface SetBy {
  readonly by: string | null
  /** Only limits that the scope has none of: those that it has stay. */
  readonly keepsPresent?: boolean
  readonly call: 'scope.setLimits' | 'governor.budget'
}

/** Writes limits of a running scope anew: only those that are named change, and never above an operator's ceiling. */
export async function setLimits(
  runtime: ScopeRuntime,
  input: LimitsInput,
  { by, call, keepsPresent = false }: SetBy,
): Promise<void> {
  const parsed = parseLimits(input, { layer: 'call', call, field: 'limits' })
  refuseDefaultsAlone(parsed, input, call)
  await applyLimits(
    runtime,
    (present) => {
      const { ceilings, onLimit } = runtime.resolved
      const rewritten = rewriteLimits(present, { layers: [parsed], ceilings, onLimit })
      return keepsPresent ? withMissing(present, rewritten) : rewritten
    },
    by,
  )
  if (!keepsPresent) forgetNotices(runtime, resolveLimits([parsed]).limits)
}

function withMissing(present: readonly Limit[], rewritten: readonly Limit[]): readonly Limit[] {
  const isPresent = (next: Limit): boolean => present.some(({ meter, per }) => meter === next.meter && per === next.per)
  return [...present, ...rewritten.filter((next) => !isPresent(next))]
}

/** What was said of the limit that stood here before does not hold for the new one. */
function forgetNotices(runtime: ScopeRuntime, changed: readonly Limit[]): void {
  const isOld = ({ kind, meter, per }: Notice): boolean =>
    kind === 'unpriced-model' && changed.some((limit) => limit.meter === meter && limit.per === per)
  const notices = runtime.resolved.notices.filter((notice) => !isOld(notice))
  runtime.resolved = { ...runtime.resolved, notices }
}

/** Defaults are for the limits that are named beside them: alone they would change nothing, and nobody would notice. */
function refuseDefaultsAlone(parsed: ParsedLimits, input: LimitsInput, call: SetBy['call']): void {
  const hasDefaults = parsed.onLimit !== null || parsed.nearing !== null || parsed.timeZone !== null
  if (parsed.entries.length > 0 || !hasDefaults) return
  const form = "limits that name a meter, e.g. { toolCalls: { max: 10, action: 'warn' } }"
  throw new InvalidOptionError(`${call}({ limits })`, input, form)
}
