import { isStintError } from '../../core/index.ts'
import type { ModelSource, ResolvedModel } from './model-source.ts'
import { untrustedScript } from './untrusted-script.ts'

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
  /** Names that are written in an untrusted file, each with its place. */
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
      warnings.push(`The fallback ${fallback} is left out. ${error.message}`)
    }
  }
  return { models: [first, ...others.values()], warnings }
}
