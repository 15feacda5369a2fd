import { showValue } from '../core/errors.ts'
import type { Layer } from '../core/limit-source.ts'
import { isStintError } from '../core/stint-error.ts'
import { suggestName } from '../core/suggest-name.ts'
import { assertLayerOptions } from './assert-parse-options.ts'
import type { InvalidLimitError } from './invalid-limit-error.ts'
import type { LimitsInput } from './limits-input.ts'
import { parseLimits } from './parse-limits.ts'
import type { ParseOptions } from './parse-options.ts'
import { isParsedLimits, type ParsedLimits } from './parsed-limits.ts'
import { createProblemList } from './problem-list.ts'
import { refuse } from './reading.ts'
import { writtenInCall } from './written-at.ts'

/** The layers that limits can be resolved from. A grant is none: it raises a limit of a scope that is open. */
export type ResolvableLayer = Exclude<Layer, 'grant'>

const LAYERS: readonly ResolvableLayer[] = [
  'defaults',
  'preset',
  'user',
  'project',
  'environment',
  'call',
  'ceiling',
  'floor',
  'model',
]

/** One layer: limits with the name of the layer and their place, or limits that are parsed already. */
export type LayerInput =
  | ParsedLimits
  | (Omit<ParseOptions, 'layer'> & { readonly layer: ResolvableLayer; readonly limits: LimitsInput })

/** Parses every layer. Throws one `InvalidLimitError` with the problems of all of them. */
export function readLayers(layers: readonly LayerInput[]): readonly ParsedLimits[] {
  const problems = createProblemList()
  if (!Array.isArray(layers)) {
    const form = '[{ layer: "call", limits: { toolCalls: 25 } }]'
    problems.refuse('layers', layers, refuse(`${showValue(layers)} is no list of layers. Write e.g. ${form}.`))
    problems.throwIfAny()
  }
  const parsed = layers.flatMap((input, index) => {
    const layer: unknown = input?.layer
    if (!(LAYERS as readonly unknown[]).includes(layer)) {
      const suggestion = typeof layer === 'string' ? suggestName(layer, LAYERS) : null
      const refusal = refuse(`${showValue(layer)} is no layer. The layers are ${LAYERS.join(', ')}.`, suggestion)
      problems.refuse(`layers[${index}].layer`, layer, refusal)
      return []
    }
    try {
      if (isParsedLimits(input)) return [input]
      assertLayerOptions(`layers[${index}]`, input)
      const { limits, ...at } = input
      return [parseLimits(limits, writtenInCall(at, 'resolveLimits'))]
    } catch (error) {
      if (!isStintError(error, 'invalid_limit')) throw error
      for (const problem of (error as unknown as InvalidLimitError).problems) problems.add(problem)
      return []
    }
  })
  problems.throwIfAny()
  return parsed
}
