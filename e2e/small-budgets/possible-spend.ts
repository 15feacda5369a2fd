import type { CountedUsage, ProviderPrice } from '../../src/testing/provider/index.ts'
import type { ScriptedConversation } from './scripted-conversation.ts'

/** What the closing answer of a run used, and the whole prompt of that call. `null`: the run had none. */
export type SeenClosing = CountedUsage | null

export interface PossibleSpend {
  readonly spentNanoUsd: number
  readonly toolCalls: number
}

const PICO_PER_NANO = 1_000
const MOST_CALLS = 100_000

/**
 * What a player would spend who knows every answer in advance, but must reserve each call's worst case (its whole input
 * at the dearest price, and exactly the output that it needs, or the least that the
 * provider takes) beside the smallest closing call of the conversation that
 * follows. `null`: not even the first call and its closing call fit.
 */
export function possibleSpend(
  budgetNanoUsd: number,
  conversation: ScriptedConversation,
  closing: SeenClosing,
): PossibleSpend | null {
  const budget = budgetNanoUsd * PICO_PER_NANO
  let spent = 0
  let toolCalls = 0
  for (let place = 0; place < MOST_CALLS; place++) {
    const call = conversation.callAt(place)
    const next = conversation.callAt(place + 1)
    const cap = Math.max(call.usage.outputTokens, conversation.leastCapTokens ?? 0)
    const reserved = worstCase(call.usage, cap, conversation) + searchCost(call.usage, conversation)
    const held = worstCase(next.usage, conversation.smallestClosingTokens, conversation)
    if (spent + reserved + held > budget) {
      if (place === 0) return null
      const last = closingCost(call.usage, conversation, closing, budget - spent)
      return { spentNanoUsd: Math.ceil((spent + last) / PICO_PER_NANO), toolCalls }
    }
    spent += costOf(call.usage, conversation.price)
    toolCalls += call.toolCalls
  }
  throw new RangeError(`A conversation that costs nothing never reaches its limit of ${budgetNanoUsd} nano-USD`)
}

/** The prompt, cached or not. */
function promptTokensOf(usage: CountedUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.cacheWrite1hTokens
}

function worstCase(usage: CountedUsage, outputTokens: number, { price, dearestInput }: ScriptedConversation): number {
  return promptTokensOf(usage) * dearestInput + outputTokens * price.output
}

// What one use may bring in, where the request does not bound it.
const TOKENS_OF_RESULT = 10_000

/** The worst case of one search within a call. */
function searchCost(usage: CountedUsage, { price, dearestInput, listsSearch = false }: ScriptedConversation): number {
  if (!listsSearch) return 0
  return (promptTokensOf(usage) + TOKENS_OF_RESULT) * dearestInput + price.webSearchNanoUsd * PICO_PER_NANO
}

function costOf(usage: CountedUsage, price: ProviderPrice): number {
  return (
    usage.inputTokens * price.input +
    usage.cacheReadTokens * price.cacheRead +
    usage.cacheWriteTokens * price.cacheWrite +
    usage.cacheWrite1hTokens * price.cacheWrite1h +
    usage.outputTokens * price.output
  )
}

/** The closing call of the run, with the prompt of this call: what the cache did for the one it does for the other. */
function closingCost(
  usage: CountedUsage,
  { price, dearestInput, smallestClosingTokens }: ScriptedConversation,
  seen: SeenClosing,
  left: number,
): number {
  const prompt = promptTokensOf(usage)
  if (seen === null) return prompt * dearestInput + smallestClosingTokens * price.output
  const more = prompt - promptTokensOf(seen)
  const rate = rateOfMore(seen, price)
  return Math.max(0, Math.min(left, costOf(seen, price) + more * rate))
}

// What is added to a prompt lies in its messages: they were read from the cache, or written, or neither.
function rateOfMore(seen: CountedUsage, price: ProviderPrice): number {
  const rates = [
    [seen.cacheReadTokens, price.cacheRead],
    [seen.cacheWriteTokens, price.cacheWrite],
    [seen.cacheWrite1hTokens, price.cacheWrite1h],
    [seen.inputTokens, price.input],
  ] as const
  return rates.reduce((most, each) => (each[0] > most[0] ? each : most))[1]
}
