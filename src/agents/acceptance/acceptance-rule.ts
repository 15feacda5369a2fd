import { showValue } from '../../core/index.ts'
import type { FieldRule } from '../fields/field-rule.ts'
import type { Acceptance } from './acceptance.ts'
import { ACCEPTANCE_SCHEMA } from './acceptance-schema.ts'
import { readAcceptance } from './read-acceptance.ts'

/** The contract of an agent or a step. */
export const ACCEPTANCE_RULE: FieldRule<Acceptance> = {
  what: 'a contract',
  example: '{ criteria: [The tests pass], verify: [{ id: tests, command: npm test }] }',
  schema: ACCEPTANCE_SCHEMA,
  isCleared: true,
  read(value) {
    const reading = readAcceptance(value)
    return reading.kind === 'valid' ? { value: reading.acceptance } : null
  },
  problems(value) {
    const reading = readAcceptance(value)
    if (reading.kind === 'valid') return []
    return reading.problems.map(({ field, value: wrong, form }) => ({
      field,
      value: wrong,
      message: wrong === undefined ? `It is missing, but must be ${form}.` : `${showValue(wrong)} must be ${form}.`,
    }))
  },
}
