import { isPlainObject, isStintError, showValue } from '../../core/index.ts'
import { type InvalidLimitError, type LimitsInput, parseLimits } from '../../policy/index.ts'
import { AGENT_NAME_SCHEMA, isAgentName } from '../agent-name.ts'
import type { FieldProblem, FieldRule } from './field-rule.ts'
import { limitProblems } from './limit-problems.ts'

const MOST_HANDOFFS = 100

/** The agents that one may hand over to, each with its own limits. */
export const HANDOFFS_RULE: FieldRule<Readonly<Record<string, LimitsInput>>> = {
  what: 'agents with limits',
  example: '{ explore: { messages: 10 }, qa: {} }',
  schema: {
    type: 'object',
    propertyNames: AGENT_NAME_SCHEMA,
    maxProperties: MOST_HANDOFFS,
    additionalProperties: { type: 'object' },
  },
  isCleared: true,
  read(value) {
    if (!isPlainObject(value) || Object.keys(value).length > MOST_HANDOFFS) return null
    return problemsIn(value).length === 0 ? { value: value as Readonly<Record<string, LimitsInput>> } : null
  },
  problems: (value) => (isPlainObject(value) ? problemsIn(value) : []),
}

function problemsIn(value: Readonly<Record<string, unknown>>): readonly FieldProblem[] {
  return Object.entries(value).flatMap(([name, limits]) => {
    if (!isAgentName(name)) return [{ field: name, value: name, message: `${showValue(name)} is not an agent's name.` }]
    if (isPlainObject(limits)) return limitsProblems(name, limits)
    const message = `${showValue(limits)} is not an object of limits. Write { messages: 10 }, or {} for none of its own.`
    return [{ field: name, value: limits, message }]
  })
}

function limitsProblems(name: string, limits: object): readonly FieldProblem[] {
  try {
    parseLimits(limits, { layer: 'call', file: HERE, field: name })
    return []
  } catch (error) {
    if (!isStintError<InvalidLimitError>(error, 'invalid_limit')) throw error
    const fields = limitProblems(error, HERE).map(({ field }) => field ?? name)
    return error.problems.map(({ value, message }, place) => ({ field: fields[place]!, value, message }))
  }
}

// The reader of the field knows the file.
const HERE = 'handoffs'
