import { isStintError } from '../../core/index.ts'
import type { ModelSource, ResolvedModel } from './model-source.ts'
import { untrustedScript } from './unknown-model-error.ts'

export interface ResolvedModels {
  /** The run's model, then its fallbacks. */
  readonly models: readonly [ResolvedModel, ...ResolvedModel[]]
  readonly warnings: readonly string[]
}

/**
 * The model of a run and its fallbacks, without duplicates. A fallback whose key is missing is skipped with a warning,
 * because agent files are shared by people with different keys. Unknown names are always refused.
 */
export async function resolveModels(
  source: ModelSource,
  name: string | null,
  fallbacks: readonly string[],
  /** Names that untrusted files use, with their places. */
  untrusted: Readonly<Record<string, string>> = {},
): Promise<ResolvedModels> {
  const resolve = async (written: string | null): Promise<ResolvedModel> => {
    const model = await source.resolve(written)
    const place = written === null || !Object.hasOwn(untrusted, written) ? undefined : untrusted[written]
    if (place !== undefined && model.name.startsWith('scripted/')) throw untrustedScript(model.name, place)
    return place === undefined ? model : { ...model, namedBy: place }
  }
  const first = await resolve(name)
  const others = new Map<string, ResolvedModel>()
  const warnings: string[] = []
  for (const fallback of fallbacks) {
    try {
      const model = await resolve(fallback)
      if (model.name !== first.name && !others.has(model.name)) others.set(model.name, model)
    } catch (error) {
      if (!isStintError(error, 'missing_key')) throw error
      warnings.push(`The fallback ${fallback} is skipped. ${error.message}`)
    }
  }
  return { models: [first, ...others.values()], warnings }
}
