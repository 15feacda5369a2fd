import { isPlainObject } from '../../core/index.ts'
import { type LimitsInput, parseLimits } from '../../policy/index.ts'
import { AGENT_NAME_SCHEMA, isAgentName } from '../agent-name.ts'
import type { FieldRule } from './field-rule.ts'

const MOST_HANDOFFS = 100

/** The agents that one may hand over to, each with limits of its own. */
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
    const isValid = Object.entries(value).every(([name, limits]) => isAgentName(name) && areLimits(limits))
    return isValid ? { value: value as Readonly<Record<string, LimitsInput>> } : null
  },
}

function areLimits(value: unknown): boolean {
  if (!isPlainObject(value)) return false
  try {
    parseLimits(value)
    return true
  } catch {
    return false
  }
}
