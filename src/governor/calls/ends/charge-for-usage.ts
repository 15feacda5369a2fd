import { type ReportedAmounts, showValue } from '../../../core/index.ts'
import type { ResolvedCall } from '../../../pricing/call/model-call.ts'
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

/** What to charge for a call, and which part of its reported usage was implausible. */
export interface UsageCharge {
  /** `null`: the reserved worst case. */
  readonly amounts: ReportedAmounts | null
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
    const costNanoUsd = price === null ? null : costOf(price, whole, { ...searches, media: priced.media })
    const amounts = { modelCalls: 1, ...amountsFromUsage(whole, { costNanoUsd, phase: priced.phase }) }
    return { amounts, anomaly: null }
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
