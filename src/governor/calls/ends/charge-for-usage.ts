import { type CallCosts, type ReportedAmounts, showValue, totalOf } from '../../../core/index.ts'
import type { ResolvedCall } from '../../../pricing/call/model-call.ts'
import {
  amountsFromUsage,
  assertUsage,
  completeUsage,
  type FeeCounts,
  InvalidUsageError,
  type ModelPrice,
  promptTokens,
  type Usage,
} from '../../../pricing/index.ts'
import { costsOf } from '../../../pricing/usage/cost-of.ts'

/** What to charge for a call, and which part of its reported usage was implausible. */
export interface UsageCharge {
  /** `null`: the reserved worst case. */
  readonly amounts: ReportedAmounts | null
  /** What its cost consists of. */
  readonly costs?: CallCosts
  readonly anomaly: { readonly field: string; readonly value: string } | null
}

interface ChargedCall {
  readonly priced: ResolvedCall
  readonly price: ModelPrice | null
  /** The output cap it was granted. */
  readonly units: number
  /** How many searches its provider ran; the maximum if unknown. */
  readonly searches: Required<FeeCounts>
}

/** Unknown usage is charged at its worst case (law 4), and so is a usage that is implausible in any part. */
export function chargeForUsage(usage: unknown, call: ChargedCall): UsageCharge {
  if (usage === null || usage === undefined) return { amounts: null, anomaly: null }
  try {
    assertUsage(usage, 'callModel')
    const { priced, price, searches } = call
    const isWhole = usage.inputTokens !== undefined && usage.outputTokens !== undefined
    const whole = isWhole ? completeUsage(usage) : filledIn(usage, call)
    const costs = price === null ? null : costsOf(price, whole, { ...searches, media: priced.media })
    const costNanoUsd = costs === null ? null : totalOf(costs)
    const amounts = { modelCalls: 1, ...amountsFromUsage(whole, { costNanoUsd, phase: priced.phase }) }
    return { amounts, anomaly: null, ...(costs === null ? {} : { costs }) }
  } catch (error) {
    // Any other error was thrown while reading the usage.
    const { field, value } = error instanceof InvalidUsageError ? error : { field: '', value: usage }
    return { amounts: null, anomaly: { field: field === '' ? 'all' : field, value: showValue(value) } }
  }
}

/** Missing input is filled in with the estimate, missing output with the full cap. */
function filledIn(usage: Partial<Usage>, { priced, units }: ChargedCall): Usage {
  const known = completeUsage(usage)
  return {
    ...known,
    inputTokens: usage.inputTokens ?? Math.max(0, priced.inputTokens - promptTokens(known)),
    outputTokens: usage.outputTokens ?? units * priced.choices,
  }
}
