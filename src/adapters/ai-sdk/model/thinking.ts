import { isPlainObject } from '../../../core/index.ts'
import type { CallOptions, ProviderOptions } from './language-model.ts'

/** Where a provider's options keep the thinking budget. */
interface ThinkingPlace {
  readonly provider: string
  readonly setting: string
  readonly budget: string
  /** Whether the AI SDK adds the budget to the output cap that it is given. */
  readonly isBesideCap: boolean
}

const PLACES: readonly ThinkingPlace[] = [
  { provider: 'anthropic', setting: 'thinking', budget: 'budgetTokens', isBesideCap: true },
  { provider: 'bedrock', setting: 'reasoningConfig', budget: 'budgetTokens', isBesideCap: true },
  { provider: 'google', setting: 'thinkingConfig', budget: 'thinkingBudget', isBesideCap: false },
  { provider: 'vertex', setting: 'thinkingConfig', budget: 'thinkingBudget', isBesideCap: false },
]

/** The thinking budget of a request. */
export interface Thinking {
  readonly place: ThinkingPlace
  readonly budget: number
}

/** `null` where the request has no budget for thinking: it does not think, or as much as it likes within its cap. */
export function thinkingOf({ providerOptions }: CallOptions): Thinking | null {
  for (const place of PLACES) {
    const setting = providerOptions?.[place.provider]?.[place.setting]
    const budget = isPlainObject(setting) ? setting[place.budget] : undefined
    if (typeof budget === 'number' && Number.isSafeInteger(budget) && budget > 0) return { place, budget }
  }
  return null
}

/** The provider's options with another thinking budget. Nothing else of them changes. */
export function withThinkingBudget(
  options: ProviderOptions | undefined,
  { place }: Thinking,
  budget: number,
): ProviderOptions {
  const ofProvider = options?.[place.provider] ?? {}
  const setting = ofProvider[place.setting] as Record<string, never>
  return {
    ...options,
    [place.provider]: { ...ofProvider, [place.setting]: { ...setting, [place.budget]: budget } },
  }
}
