import { createPromptCache, type PromptCache } from '../counting/prompt-cache.ts'
import { UNKNOWN_MODEL, USUAL_MODELS } from '../counting/provider-model.ts'
import { createTokenRule, type TokenRule } from '../counting/token-rule.ts'
import type { ReadContext } from '../dialects/provider-dialect.ts'
import type { JsonObject } from '../json/json-value.ts'
import { type BookKeeper, createBook } from '../provider-book.ts'
import type { CountScript } from '../provider-count.ts'
import type { ProviderRequest } from '../provider-request.ts'
import type { ProviderScript, ProviderTurn } from '../provider-turn.ts'
import type { ScriptedProviderOptions } from '../scripted-provider.ts'
import { createTurns } from '../scripts/next-turn.ts'
import { sayOnce } from '../scripts/say-once.ts'

/** What requests to one provider share. */
export interface ProviderState {
  readonly rule: TokenRule
  readonly cache: PromptCache
  readonly keeper: BookKeeper
  readonly apiKeys: ReadonlySet<string> | null
  readonly modelNames: readonly string[]
  readonly modelOf: ReadContext['modelOf']
  readonly conversationOf: ReadContext['conversationOf']
  readonly keepConversation: (id: string, items: readonly JsonObject[]) => void
  readonly nextTurn: (request: ProviderRequest) => ProviderTurn | Promise<ProviderTurn>
  readonly play: (script: ProviderScript) => void
  readonly nextCount: CountScript
  readonly playCounts: (script: CountScript) => void
  readonly nowSeconds: () => number
}

const MOST_CONVERSATIONS = 1_000
// `claude-sonnet-4-5-20250929` is a dated version of `claude-sonnet-4-5`.
const DATED = /-(\d{8}|\d{4}-\d{2}-\d{2})$/

/** The initial state of a provider. */
export function createProviderState(options: ScriptedProviderOptions): ProviderState {
  const { models = USUAL_MODELS, caching = true, smallestCachedTokens = 1_024, now = Date.now } = options
  const conversations = new Map<string, readonly JsonObject[]>()
  const find = (name: string) => {
    const known = Object.hasOwn(models, name) ? name : name.replace(DATED, '')
    return Object.hasOwn(models, known) ? models[known]! : null
  }
  let counts: CountScript = options.counts ?? (() => ({}))
  let turns = createTurns(options.script ?? sayOnce('Hello.'))
  return {
    rule: createTokenRule(options.bytesPerToken ?? 4),
    cache: createPromptCache({ isOn: caching, smallestTokens: smallestCachedTokens }),
    keeper: createBook((name) => find(name)?.price ?? null),
    apiKeys: options.apiKeys === undefined ? null : new Set(options.apiKeys),
    modelNames: Object.keys(models),
    modelOf: (name) => find(name) ?? (options.models === undefined ? UNKNOWN_MODEL : null),
    conversationOf: (id) => conversations.get(id) ?? null,
    keepConversation(id, items) {
      if (conversations.size >= MOST_CONVERSATIONS) conversations.delete(conversations.keys().next().value!)
      conversations.set(id, items)
    },
    nextTurn: (request) => turns(request),
    play(script) {
      turns = createTurns(script)
    },
    nextCount: (count) => counts(count),
    playCounts(script) {
      counts = script
    },
    nowSeconds: () => Math.floor(now() / 1_000),
  }
}
