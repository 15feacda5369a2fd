import { type ReportedAmounts, showValue } from '../../../core/index.ts'
import {
  amountsFromUsage,
  assertUsage,
  completeUsage,
  costOf,
  type FeeCounts,
  InvalidUsageError,
  type ModelPrice,
  promptTokens,
  type Usage,
} from '../../../pricing/index.ts'
import type { ModelCallSpec } from '../../call.ts'

/** What to charge for a call, and what could not be believed of what it reported. */
export interface UsageCharge {
  /** `null`: the reserved worst case. */
  readonly amounts: ReportedAmounts | null
  readonly anomaly: { readonly field: string; readonly value: string } | null
}

interface ChargedCall {
  readonly spec: ModelCallSpec
  readonly price: ModelPrice | null
  /** The output cap that it was granted. */
  readonly units: number
  /** How many searches its provider ran; the most that it may where nobody says. */
  readonly searches: Required<FeeCounts>
}

/** What is unknown is charged at its worst case (law 4), and so is the whole of a usage that cannot be believed. */
export function chargeForUsage(usage: unknown, call: ChargedCall): UsageCharge {
  if (usage === null || usage === undefined) return { amounts: null, anomaly: null }
  try {
    assertUsage(usage, 'callModel')
    return { amounts: amountsOf(filledIn(usage, call), call), anomaly: null }
  } catch (error) {
    // Whatever else it throws, it threw while it was read.
    const { field, value } = error instanceof InvalidUsageError ? error : { field: '', value: usage }
    return { amounts: null, anomaly: { field: field === '' ? 'all' : field, value: showValue(value) } }
  }
}

/** A usage without its input has the estimate, and one without its output the whole cap. */
function filledIn(usage: Partial<Usage>, { spec, units }: ChargedCall): Usage {
  const known = completeUsage(usage)
  return {
    ...known,
    inputTokens: usage.inputTokens ?? Math.max(0, spec.inputTokens - promptTokens(known)),
    outputTokens: usage.outputTokens ?? units * (spec.choices ?? 1),
  }
}

function amountsOf(usage: Usage, { spec, price, searches }: ChargedCall): ReportedAmounts {
  const { phase, media } = spec
  const costNanoUsd = price === null ? null : costOf(price, usage, { ...searches, media })
  return { modelCalls: 1, ...amountsFromUsage(usage, { costNanoUsd, phase }) }
}
