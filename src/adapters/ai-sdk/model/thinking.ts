import { isPlainObject } from '../../../core/index.ts'
import { SMALLEST_THINKING } from '../../../pricing/index.ts'
import type { CallOptions, LanguageModelV3, ProviderOptions } from './language-model.ts'

/** How a family of providers sets the amount of thinking. */
interface ThinkingForm {
  /** The names of the providers and models that support it. */
  readonly models: RegExp
  /** The keys in the options of a request where it is set. */
  readonly providers: readonly string[]
  readonly setting: string
  readonly budget: string
  /** The AI SDK's default if thinking is enabled without a budget; `null`: it is not enabled that way. */
  readonly unnamedBudget: number | null
  /** Whether the AI SDK adds the budget to the output cap. */
  readonly isBesideCap: boolean
}

const FORMS: readonly ThinkingForm[] = [
  {
    models: /anthropic|claude/,
    providers: ['anthropic'],
    setting: 'thinking',
    budget: 'budgetTokens',
    unnamedBudget: SMALLEST_THINKING,
    isBesideCap: true,
  },
  {
    models: /bedrock/,
    providers: ['bedrock'],
    setting: 'reasoningConfig',
    budget: 'budgetTokens',
    unnamedBudget: null,
    isBesideCap: true,
  },
  {
    models: /google|vertex|gemini/,
    providers: ['vertex', 'google'],
    setting: 'thinkingConfig',
    budget: 'thinkingBudget',
    unnamedBudget: null,
    isBesideCap: false,
  },
]

// The share of a model's output cap that version 7 of the AI SDK assigns to a level of `reasoning`, for models that it
// gives a budget; and the largest output cap of those.
const SHARES: ReadonlyMap<unknown, number> = new Map([
  ['minimal', 0.02],
  ['low', 0.1],
  ['medium', 0.3],
  ['high', 0.6],
  ['xhigh', 0.9],
  ['max', 0.95],
])
const LARGEST_CAP_WITH_BUDGET = 64_000

type ModelNames = Pick<LanguageModelV3, 'provider' | 'modelId'>

/** The thinking budget of a request, and where in its options it is set. */
export interface Thinking {
  readonly form: ThinkingForm
  readonly provider: string
  readonly budget: number
}

/** `null` if the request has no thinking budget: it does not think, or is only bounded by its cap. */
export function thinkingOf(model: ModelNames, options: CallOptions): Thinking | null {
  const { providerOptions } = options
  const share = SHARES.get((options as { readonly reasoning?: unknown }).reasoning)
  if (providerOptions === undefined && share === undefined) return null
  const forms = formsFor(model)
  for (const form of forms) {
    for (const provider of providersOf(form, model)) {
      const setting = providerOptions?.[provider]?.[form.setting]
      if (isPlainObject(setting)) return thinkingIn(setting, form, provider)
    }
  }
  return share === undefined ? null : thinkingByLevel(model, forms, share)
}

/** The provider options with another thinking budget, otherwise unchanged. */
export function withThinkingBudget(
  options: ProviderOptions | undefined,
  { form, provider }: Thinking,
  budget: number,
): ProviderOptions {
  const ofProvider = options?.[provider] ?? {}
  // Without a setting it was a level, and thinking must be enabled to have a budget.
  const setting = (ofProvider[form.setting] ?? { type: 'enabled' }) as Record<string, never>
  return { ...options, [provider]: { ...ofProvider, [form.setting]: { ...setting, [form.budget]: budget } } }
}

function formsFor(model: ModelNames): readonly ThinkingForm[] {
  return FORMS.toSorted((left, right) => distance(left, model) - distance(right, model))
}

/** How well a format fits a model: by its provider, by the model's name, or only possibly. */
function distance({ models }: ThinkingForm, { provider, modelId }: ModelNames): number {
  if (models.test(provider)) return 0
  return models.test(modelId) ? 1 : 2
}

/** A provider with a custom name reads that key first. */
function providersOf(form: ThinkingForm, { provider }: ModelNames): readonly string[] {
  const [name = ''] = provider.split('.')
  return form.models.test(provider) ? [name, ...form.providers] : form.providers
}

function thinkingIn(setting: Record<string, unknown>, form: ThinkingForm, provider: string): Thinking | null {
  const { type = 'enabled' } = setting
  const budget = setting[form.budget] ?? (setting.type === 'enabled' ? form.unnamedBudget : null)
  const isBudget = typeof budget === 'number' && Number.isSafeInteger(budget) && budget > 0
  return type === 'enabled' && isBudget ? { form, provider, budget } : null
}

/** Only if the AI SDK adds the budget to the cap: otherwise a level says how the cap is used. */
function thinkingByLevel(model: ModelNames, forms: readonly ThinkingForm[], share: number): Thinking | null {
  const form = forms.find((each) => each.isBesideCap && distance(each, model) < 2)
  const isClaude = /anthropic|claude/.test(`${model.provider} ${model.modelId}`)
  if (form === undefined || !isClaude) return null
  const budget = Math.max(SMALLEST_THINKING, Math.round(LARGEST_CAP_WITH_BUDGET * share))
  return { form, provider: form.providers[0]!, budget }
}
