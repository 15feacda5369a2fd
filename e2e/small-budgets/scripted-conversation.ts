import type { BookEntry, CountedUsage, ProviderPrice } from '../../src/testing/provider/index.ts'

/** A loop of calls that never ends by itself, as the provider charges it. */
export interface ScriptedConversation {
  readonly price: ProviderPrice
  /** The dearest that a token of its input can cost, in pico-USD: that of a cache write where the requests have marks. */
  readonly dearestInput: number
  /** The least that a closing answer may be capped at, its smallest thinking included. */
  readonly smallestClosingTokens: number
  /**
   * The least output cap that the provider takes: Anthropic demands room for 1,024 tokens of thinking, and more, of a
   * request that thinks. The player knows how short an answer is, and cannot ask for less all the same. Default: any.
   */
  readonly leastCapTokens?: number
  /**
   * Whether the requests list a search that the provider runs and that they cannot forbid. Then any call may search, and
   * the player must reserve one use, too: its fee, and the prompt read again with what it brings in. Default: no.
   */
  readonly listsSearch?: boolean
  /** What the call at this place uses, counted from 0. Beyond what was seen, the loop goes on as it did. */
  callAt(place: number): ConversationCall
}

export interface ConversationCall {
  readonly usage: CountedUsage
  readonly toolCalls: number
}

export interface SeenConversation extends Omit<ScriptedConversation, 'callAt'> {
  /** The calls of a run without limits, in order, without the one that ended it. */
  readonly calls: readonly ConversationCall[]
}

const CLASSES = ['inputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens'] as const

/** A conversation that goes on for ever from the calls that were seen, by how the last half of them grew. */
export function conversationFrom({ calls, ...rest }: SeenConversation): ScriptedConversation {
  const last = calls.at(-1)
  if (last === undefined) throw new RangeError('A conversation without a call cannot go on')
  const from = Math.floor((calls.length - 1) / 2)
  const span = Math.max(1, calls.length - 1 - from)
  return {
    ...rest,
    callAt(place) {
      const seen = calls[place]
      if (seen !== undefined) return seen
      const steps = place - (calls.length - 1)
      const usage = { ...last.usage }
      for (const name of CLASSES) {
        const growth = (last.usage[name] - calls[from]!.usage[name]) / span
        usage[name] = Math.max(0, Math.round(last.usage[name] + growth * steps))
      }
      return { usage, toolCalls: last.toolCalls }
    },
  }
}

/** The entries of a book that were answered, as calls of a conversation. */
export function callsIn(entries: readonly BookEntry[]): readonly ConversationCall[] {
  return entries.filter(({ outcome }) => outcome === 'answered').map(({ usage, toolCalls }) => ({ usage, toolCalls }))
}
