import {
  assertKnownOptions,
  type Breach,
  describeBreach,
  isEnforced,
  type LimitReading,
  type ScopeReading,
  unitsWithin,
} from '../../../core/index.ts'
import { elasticOf } from '../../../pricing/call/elastic-call.ts'
import { fillCall } from '../../../pricing/call/model-call.ts'
import { amountsAtOutput } from '../../../pricing/index.ts'
import type { ModelCallSpec } from '../../call.ts'
import type { ScopeRuntime } from '../../scope/scope-runtime.ts'
import { MODEL_CALL_SPEC } from '../model-call-spec.ts'
import { priceForCall } from '../price-for-call.ts'

/**
 * The limit that restricts a call's output the most, as the breach that its full output cap would cause; `null` if no
 * limit does. Reserves nothing, so no limit acts.
 */
export async function cutShortBy(runtime: ScopeRuntime, spec: ModelCallSpec): Promise<Breach | null> {
  assertKnownOptions('cutShortBy', spec, MODEL_CALL_SPEC)
  const { store, clock } = runtime.context
  const call = elasticOf(fillCall(spec, priceForCall(runtime, spec).price))
  const whole = amountsAtOutput(call, call.elastic.most)
  let tightest: { readonly scope: ScopeReading; readonly reading: LimitReading; readonly asked: number } | null = null
  let fewest = Number.POSITIVE_INFINITY
  for (const reading of (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() })) ?? []) {
    for (const each of reading.limits) {
      const rate = call.elastic.rates.find(({ meter }) => meter === each.limit.meter)
      if (rate === undefined || !isEnforced(each.limit.action)) continue
      const units = unitsWithin(rate, each.remaining, Number.MAX_SAFE_INTEGER)
      if (units >= fewest) continue
      fewest = units
      tightest = { scope: reading, reading: each, asked: whole[rate.meter] ?? 0 }
    }
  }
  if (tightest === null) return null
  const { limit, settled, reserved, held, remaining, resetsAt } = tightest.reading
  return describeBreach(tightest.scope, limit, { settled, reserved, held, remaining, resetsAt, asked: tightest.asked })
}
