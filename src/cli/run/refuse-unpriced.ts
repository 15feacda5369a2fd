import type { Agent } from '../../agents/index.ts'
import { isStintError } from '../../core/index.ts'
import { type LayerInput, resolveLimits } from '../../policy/index.ts'
import { createPriceBook, decideUnpriced } from '../../pricing/index.ts'
import { type ModelName, readModelName } from '../../runner/models/model-name.ts'
import { limitLayers } from '../../runner/run/limit-layers.ts'
import type { CommandContext } from '../command-context.ts'

/**
 * Throws before a task starts if its model has no price and the user set a cost limit. Budgets above it are checked by
 * the first call.
 */
export function refuseUnpriced(
  context: CommandContext,
  agent: Agent,
  layers: readonly LayerInput[],
  model: string | null,
): void {
  // Inside another run, only that run knows the prices.
  if (context.platform.env.STINT_SCOPE !== undefined) return
  const name = nameOf(context, model ?? agent.model)
  // A scripted model has its own price, whatever its name.
  if (name === null || name.provider === 'scripted') return
  const { limits } = resolveLimits(limitLayers({ agent, layers, task: '', workingFolder: '' }))
  const book = createPriceBook({ overrides: context.config().prices })
  const decision = decideUnpriced({ model: name.id, provider: name.provider, limits, book })
  if (decision.kind === 'refuse') throw decision.error
}

/** `null`: it cannot be parsed, which the runner reports better. */
function nameOf({ platform, config }: CommandContext, model: string | null): ModelName | null {
  const { models, providers } = config()
  try {
    return readModelName(model, { env: platform.env, models, providers, workingFolder: platform.workingFolder })
  } catch (error) {
    if (isStintError(error)) return null
    throw error
  }
}
