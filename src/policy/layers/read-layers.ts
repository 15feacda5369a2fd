import { isOneOf } from '../../core/checks/is-one-of.ts'
import { suggestName } from '../../core/checks/suggest-name.ts'
import { showValue } from '../../core/errors.ts'
import { LAYERS as EVERY_LAYER, type Layer } from '../../core/limits/limit-source.ts'
import { isStintError } from '../../core/stint-error.ts'
import { assertLayerOptions } from '../formats/assert-parse-options.ts'
import type { LimitsInput } from '../formats/limits-input.ts'
import { parseLimits } from '../formats/parse-limits.ts'
import { isParsedLimits, type ParsedLimits } from '../formats/parsed-limits.ts'
import { createProblemList } from '../formats/problem-list.ts'
import { refuse } from '../formats/reading-result.ts'
import type { InvalidLimitError } from '../limits/invalid-limit-error.ts'
import { type ParseOptions, writtenInCall } from '../limits/written-at.ts'

// Grants are excluded: they raise a limit of an open scope.
const LAYERS = EVERY_LAYER.filter((layer) => layer !== 'grant')

/** One layer: limits with the layer's name and their place, or parsed limits. */
export type LayerInput =
  | ParsedLimits
  | (Omit<ParseOptions, 'layer'> & { readonly layer: Exclude<Layer, 'grant'>; readonly limits: LimitsInput })

/** Parses every layer. Throws one `InvalidLimitError` with the problems of all of them. */
export function readLayers(layers: readonly LayerInput[]): readonly ParsedLimits[] {
  const problems = createProblemList()
  if (!Array.isArray(layers)) {
    const form = '[{ layer: "call", limits: { toolCalls: 25 } }]'
    problems.refuse('layers', layers, refuse(`${showValue(layers)} is not a list of layers. Write e.g. ${form}.`))
    problems.throwIfAny()
  }
  const parsed = layers.flatMap((input, index) => {
    const layer: unknown = input?.layer
    if (!isOneOf(layer, LAYERS)) {
      const suggestion = typeof layer === 'string' ? suggestName(layer, LAYERS) : null
      const refusal = refuse(`Unknown layer ${showValue(layer)}. The layers are ${LAYERS.join(', ')}.`, suggestion)
      problems.refuse(`layers[${index}].layer`, layer, refusal)
      return []
    }
    try {
      if (isParsedLimits(input)) return [input]
      assertLayerOptions(`layers[${index}]`, input)
      const { limits, ...at } = input
      return [parseLimits(limits, writtenInCall(at, 'resolveLimits'))]
    } catch (error) {
      if (!isStintError<InvalidLimitError>(error, 'invalid_limit')) throw error
      for (const problem of error.problems) problems.add(problem)
      return []
    }
  })
  problems.throwIfAny()
  return parsed
}
