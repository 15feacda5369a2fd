import { isStintError } from '../../core/index.ts'
import type { ModelSource, ResolvedModel } from './model-source.ts'

export interface ResolvedModels {
  /** The first is the model of the run, the others are tried after it. */
  readonly models: readonly [ResolvedModel, ...ResolvedModel[]]
  readonly warnings: readonly string[]
}

/**
 * The model of a run and its fallbacks, each once. A fallback whose key is not there is left out with a warning: an
 * agent file is shared by people who have different ones. A name that nobody knows is refused wherever it stands.
 */
export async function resolveModels(
  source: ModelSource,
  name: string | null,
  fallbacks: readonly string[],
): Promise<ResolvedModels> {
  const first = await source.resolve(name)
  const others = new Map<string, ResolvedModel>()
  const warnings: string[] = []
  for (const fallback of fallbacks) {
    try {
      const model = await source.resolve(fallback)
      if (model.name !== first.name && !others.has(model.name)) others.set(model.name, model)
    } catch (error) {
      if (!isStintError(error, 'missing_key')) throw error
      warnings.push(`The fallback ${fallback} is left out. ${error.message}`)
    }
  }
  return { models: [first, ...others.values()], warnings }
}
