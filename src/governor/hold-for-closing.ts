import { addAmount, type HoldAsk, isAmount } from '../core/index.ts'
import { type ModelPrice, SMALLEST_THINKING, smallestCall, type Usage, worstCase } from '../pricing/index.ts'
import type { ModelCallSpec } from './governor.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

// What a closing answer may take beside the smallest thinking budget.
const CLOSING_OUTPUT_TOKENS = 1_000

/** Before the first model call: what its own closing call would cost, so that work is admitted beside it. */
export async function holdForFirstCall(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  price: ModelPrice | null,
): Promise<void> {
  if (!runtime.wrapsUp || !runtime.holdsBack || runtime.firstInputTokens !== null) return
  const { store, clock } = runtime.context
  runtime.holdAsk = holdAsk(spec, price, spec.inputTokens, spec.inputTokens)
  if (runtime.pause === null) {
    await store.hold({ scopeId: runtime.id, ask: runtime.holdAsk, atMs: clock.wallMs() })
  }
  // Only now: a call beside this one must not be let in before there is a hold.
  runtime.firstInputTokens ??= spec.inputTokens
}

/**
 * With each settlement: what the closing call would cost now, with the conversation so far as its input. `undefined`
 * where nothing is to be held: it has no closing call, has made it, or is paused.
 */
export function holdAfter(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  price: ModelPrice | null,
  usage: Partial<Usage> | null,
): HoldAsk | undefined {
  if (!runtime.wrapsUp || !runtime.holdsBack || runtime.hasWrappedUp) return undefined
  const answer = usage?.outputTokens
  const answerTokens = isAmount(answer) ? Math.min(answer, spec.maxOutputTokens) : spec.maxOutputTokens
  const inputTokens = addAmount(spec.inputTokens, answerTokens)
  runtime.holdAsk = holdAsk(spec, price, inputTokens, runtime.firstInputTokens ?? spec.inputTokens)
  return runtime.pause === null || runtime.pause.request !== null ? runtime.holdAsk : undefined
}

function holdAsk(spec: ModelCallSpec, price: ModelPrice | null, inputTokens: number, leastInput: number): HoldAsk {
  const { thinkingBudget = null, smallestThinking = SMALLEST_THINKING } = spec
  const thinking = thinkingBudget === null ? null : Math.min(thinkingBudget, smallestThinking)
  const maxOutputTokens = CLOSING_OUTPUT_TOKENS + (thinking ?? 0)
  const bounds = { maxOutputTokens, choices: 1, webSearches: 0, fileSearches: 0, thinkingBudget: thinking }
  const closing = { ...spec, ...bounds, price, priceFactor: undefined }
  return {
    wanted: worstCase({ ...closing, inputTokens }),
    smallest: smallestCall({ ...closing, inputTokens: leastInput }),
  }
}
