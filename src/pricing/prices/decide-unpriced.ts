import { isEnforced } from '../../core/limits/action.ts'
import type { Limit } from '../../core/limits/limit.ts'
import { describeSource, type Layer } from '../../core/limits/limit-source.ts'
import { METERS } from '../../core/meter.ts'
import { assertCallFields } from '../call/assert-call-fields.ts'
import { assertChoice } from '../call/assert-choice.ts'
import type { ModelPrice } from './model-price.ts'
import { DEFAULT_PRICE_BOOK, type PriceBook, type PriceQuery } from './price-book.ts'
import { UNKNOWN_MODELS, type UnknownModels } from './unknown-models.ts'
import { UnpricedModelError } from './unpriced-model-error.ts'

/** What happens to a call, depending on its price. */
export type UnpricedDecision =
  | { readonly kind: 'priced'; readonly price: ModelPrice }
  /** A cost limit can't be enforced: one that a person wrote, or any if an untrusted file names the model. */
  | { readonly kind: 'refuse'; readonly error: UnpricedModelError }
  /** Cost limits that no person wrote, or that only warn, don't apply to this call. */
  | { readonly kind: 'drop'; readonly limits: readonly Limit[]; readonly notice: string }
  | { readonly kind: 'estimate'; readonly price: ModelPrice; readonly notice: string }
  /** Tokens are counted, cost isn't; `limits` are the cost limits without effect. */
  | { readonly kind: 'tokens-only'; readonly limits: readonly Limit[]; readonly notice: string | null }

export interface UnpricedQuestion extends PriceQuery {
  readonly model: string
  /** Every limit on the whole path of the call, including the outermost scope. */
  readonly limits: readonly Limit[]
  readonly policy?: UnknownModels | undefined
  readonly book?: PriceBook | undefined
  /** The untrusted file that names the model. No cost limit is dropped for it then, not even a preset's. */
  readonly namedBy?: string | undefined
}

// The question may be a whole call, with fields of its own.
const OPTIONAL_FIELDS = ['provider', 'hasMedia', 'policy', 'book', 'namedBy'] as const
const OTHER_FIELDS = ['model', 'limits', 'at', 'media', 'price'] as const

/** Decides before the first call what happens when a model has no price (promise 5: no silent hole). */
export function decideUnpriced(question: UnpricedQuestion): UnpricedDecision {
  assertCallFields(question, OPTIONAL_FIELDS, OTHER_FIELDS)
  const { model, book = DEFAULT_PRICE_BOOK, provider, at, hasMedia } = question
  const price = book.find(model, { provider, at, hasMedia })
  return price === null ? decideWithoutPrice(question) : { kind: 'priced', price }
}

/** The same for a model that is known to have no price. */
export function decideWithoutPrice(question: UnpricedQuestion): Exclude<UnpricedDecision, { kind: 'priced' }> {
  const { model, limits, book = DEFAULT_PRICE_BOOK } = question
  const costLimits = limits.filter((limit) => METERS[limit.meter].unit === 'nanoUsd')
  if (question.policy !== undefined) {
    assertChoice({ place: 'Unpriced model', field: 'policy', value: question.policy, words: UNKNOWN_MODELS })
  }
  const policy = question.policy ?? book.unknownModels
  if (policy === 'estimate') {
    const estimate = book.estimate(model, question)
    const notice = `The model ${model} has no price: it is charged like the most expensive of ${estimate.matchedModel}.`
    return { kind: 'estimate', price: estimate, notice }
  }
  if (policy === 'tokens-only' || costLimits.length === 0) {
    const notice = costLimits.length === 0 ? null : noticeOf(model, costLimits, 'not enforced for it')
    return { kind: 'tokens-only', limits: costLimits, notice }
  }
  const { namedBy } = question
  const written = costLimits.find((limit) => isWritten(limit) && isEnforced(limit.action))
  const kept = written ?? (namedBy === undefined ? undefined : costLimits[0])
  if (kept !== undefined) {
    return { kind: 'refuse', error: new UnpricedModelError(model, { source: kept.source, namedBy: namedBy ?? null }) }
  }
  return { kind: 'drop', limits: costLimits, notice: noticeOf(model, costLimits, 'dropped') }
}

const UNWRITTEN: ReadonlySet<Layer> = new Set(['preset', 'defaults', 'model'])

// A limit that a model lowered belongs to its original author: lowering doesn't turn a preset's limit into a person's,
// or a person's into one that could be dropped.
function isWritten({ source }: Limit): boolean {
  return !UNWRITTEN.has(source.layer === 'model' ? (source.lowers ?? 'model') : source.layer)
}

function noticeOf(model: string, limits: readonly Limit[], fate: string): string {
  const sources = limits.map((limit) => describeSource(limit.source)).join(', ')
  return `The model ${model} has no price, so the cost limit is ${fate} (${sources}).`
}
