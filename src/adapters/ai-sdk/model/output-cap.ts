import type { ModelGrant } from '../../../governor/index.ts'
import type { CallOptions, LanguageModelV3 } from './language-model.ts'
import { type Thinking, thinkingOf, withThinkingBudget } from './thinking.ts'

// Asked for where the request names no cap. Every model of the last years may write so much.
const UNNAMED_CAP = 16_384

/** The output cap of a request, as the ledger counts it: with the thinking in it. */
export interface OutputCap {
  readonly maxOutputTokens: number
  readonly thinking: Thinking | null
}

export function outputCapOf(model: Pick<LanguageModelV3, 'provider' | 'modelId'>, options: CallOptions): OutputCap {
  const thinking = thinkingOf(model, options)
  const beside = thinking?.form.isBesideCap === true ? thinking.budget : 0
  return { maxOutputTokens: (options.maxOutputTokens ?? UNNAMED_CAP) + beside, thinking }
}

/** The part of a request that the cap of a grant changes; nothing of it where the whole cap was granted. */
export function capOptions(
  options: CallOptions,
  { maxOutputTokens: asked, thinking }: OutputCap,
  grant: Pick<ModelGrant, 'maxOutputTokens' | 'thinkingBudget'>,
): Partial<CallOptions> {
  const isWhole = grant.maxOutputTokens >= asked
  if (isWhole && options.maxOutputTokens !== undefined) return {}
  if (thinking === null || grant.thinkingBudget === null) return { maxOutputTokens: grant.maxOutputTokens }
  const beside = thinking.form.isBesideCap ? grant.thinkingBudget : 0
  const cap = { maxOutputTokens: grant.maxOutputTokens - beside }
  if (grant.thinkingBudget === thinking.budget) return cap
  return { ...cap, providerOptions: withThinkingBudget(options.providerOptions, thinking, grant.thinkingBudget) }
}
