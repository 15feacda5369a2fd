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

/** Who changes limits: for the records, and so that an error names the call to fix. */
export interface SetBy {
  readonly by: string | null
  /** Only adds limits for meters that have none: existing ones stay. */
  readonly keepsPresent?: boolean
  readonly call: 'scope.setLimits' | 'governor.budget'
}

/** Changes limits of a running scope: only the named ones, and never above an operator's ceiling. */
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

/** Notices about the old limit do not apply to the new one. */
function forgetNotices(runtime: ScopeRuntime, changed: readonly Limit[]): void {
  const isOld = ({ kind, meter, per }: Notice): boolean =>
    kind === 'unpriced-model' && changed.some((limit) => limit.meter === meter && limit.per === per)
  const notices = runtime.resolved.notices.filter((notice) => !isOld(notice))
  runtime.resolved = { ...runtime.resolved, notices }
}

/** Defaults only affect limits named next to them: alone they would silently change nothing. */
function refuseDefaultsAlone(parsed: ParsedLimits, input: LimitsInput, call: SetBy['call']): void {
  const hasDefaults = parsed.onLimit !== null || parsed.nearing !== null || parsed.timeZone !== null
  if (parsed.entries.length > 0 || !hasDefaults) return
  const form = "limits that name a meter, e.g. { toolCalls: { max: 10, action: 'warn' } }"
  throw new InvalidOptionError(`${call}({ limits })`, input, form)
}
