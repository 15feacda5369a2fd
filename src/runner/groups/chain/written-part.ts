import { type AgentProblem, agentProblem } from '../../../agents/agent-problem.ts'
import type { FieldRule } from '../../../agents/fields/field-rule.ts'
import { limitProblems } from '../../../agents/fields/limit-problems.ts'
import { type FieldsOf, readByRules, type WrittenFields } from '../../../agents/fields/read-fields.ts'
import { isPlainObject, isStintError, type Layer, showValue, suggestName } from '../../../core/index.ts'
import { fieldName } from '../../../documents/index.ts'
import { isParsedLimits } from '../../../policy/formats/parsed-limits.ts'
import { type InvalidLimitError, type ParsedLimits, parseAskAbove, parseLimits } from '../../../policy/index.ts'
import type { ChainOrigin } from './chain-origin.ts'

type Rules = Readonly<Record<string, FieldRule<unknown>>>

/** One object of a chain as written, and a way to report problems with it. */
export interface WrittenPart {
  readonly values: Readonly<Record<string, unknown>>
  has(name: string): boolean
  /** The same with other values for some of its fields. */
  with(values: Readonly<Record<string, unknown>>): WrittenPart
  /** Reads fields by their rules. Each invalid one is a problem. */
  read<Given extends Rules>(rules: Given): FieldsOf<Given>
  limits(name: string, layer: Layer): readonly ParsedLimits[]
  /** How large a plan may be before a person is asked. */
  askAbove(layer: Layer): readonly ParsedLimits[]
  /** A nested object; `null` and a problem if it is something else. */
  part(name: string, what: string): WrittenPart | null
  /** The same for a list; invalid items are left out with a problem. */
  parts(name: string, what: string, most: number): readonly WrittenPart[]
  /** A problem for every field that is not among `known`. */
  refuseOthers(what: string, known: readonly string[]): void
  refuse(name: string | null, message: string): void
  /** The same for a nested field: `parallel[1].task`. */
  refuseAt(way: string, message: string): void
  /** The path of a field, for messages: `steps[2].task`. */
  fieldOf(name: string | null): string
  lineOf(name: string | null): number | undefined
}

/** A part of a chain. `field` is its path, `''` for the chain itself. */
export function writtenPart(
  origin: ChainOrigin,
  values: Readonly<Record<string, unknown>>,
  field: string,
  problems: AgentProblem[],
): WrittenPart {
  const { file } = origin
  const lineOf = (name: string): number | undefined => nearestLine(origin, name)
  const written: WrittenFields = { file, values, field, lineOf }
  const fieldOf = (name: string | null): string => (name === null ? field : fieldName(field, name))
  const refuseAt = (at: string, value: unknown, message: string): void => {
    problems.push(agentProblem(file, { line: lineOf(at), field: at, value }, message))
  }
  const inner = (value: unknown, at: string, what: string): WrittenPart | null => {
    if (isPlainObject(value)) return writtenPart(origin, value, at, problems)
    refuseAt(at, value, `${showValue(value)} is not ${what}.`)
    return null
  }
  const readLimits = (name: string, layer: Layer, parse: typeof parseLimits): readonly ParsedLimits[] => {
    const value = values[name]
    if (value === undefined) return []
    // Limits that a model requests stay its request, which only lowers.
    if (isParsedLimits(value) && value.layer === 'model') return [value]
    const at = origin.isFile ? { file, line: lineOf } : { call: file }
    try {
      return [parse(value, { layer, ...at, field: fieldOf(name), allowFalse: origin.isFile })]
    } catch (error) {
      if (!isStintError<InvalidLimitError>(error, 'invalid_limit')) throw error
      problems.push(...limitProblems(error, file))
      return []
    }
  }
  return {
    values,
    fieldOf,
    with: (others) => writtenPart(origin, { ...values, ...others }, field, problems),
    has: (name) => Object.hasOwn(values, name) && values[name] !== undefined,
    lineOf: (name) => lineOf(fieldOf(name)),
    refuse: (name, message) => refuseAt(fieldOf(name), name === null ? undefined : values[name], message),
    refuseAt: (way, message) => refuseAt(field === '' ? way : `${field}.${way}`, undefined, message),
    read: (rules) => readByRules(written, rules, problems),
    limits: (name, layer) => readLimits(name, layer, parseLimits),
    askAbove: (layer) => readLimits('askAbove', layer, parseAskAbove),
    part: (name, what) => inner(values[name], fieldOf(name), what),
    parts(name, what, most) {
      const value = values[name]
      const at = fieldOf(name)
      if (!Array.isArray(value) || value.length === 0 || value.length > most) {
        const wanted = `${at} is a list of 1 to ${most}, each ${what}.`
        if (!Array.isArray(value)) refuseAt(at, value, wanted)
        else refuseAt(at, undefined, `${wanted} It ${value.length === 0 ? 'is empty' : `has ${value.length} entries`}.`)
        return []
      }
      return value.flatMap((item: unknown, index) => inner(item, fieldName(at, index), what) ?? [])
    },
    refuseOthers(what, known) {
      for (const name of Object.keys(values)) {
        if (known.includes(name)) continue
        const nearest = suggestName(name, known)
        const hint =
          nearest === null ? `The fields are ${known.join(', ')}.` : `Did you mean ${JSON.stringify(nearest)}?`
        refuseAt(fieldOf(name), undefined, `${showValue(name)} is not a field of ${what}. ${hint}`)
      }
    },
  }
}

/** The line of a field, or of the nearest enclosing one that has a line. */
function nearestLine({ lineOf }: ChainOrigin, field: string): number | undefined {
  for (let at = field; at !== ''; at = at.replace(/(?:\.[^.[\]]*|\[\d+\]|^[^.[\]]*)$/, '')) {
    const line = lineOf(at)
    if (line !== undefined) return line
  }
  return undefined
}
