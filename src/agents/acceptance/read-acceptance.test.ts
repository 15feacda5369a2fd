import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { EVIDENCE_KINDS } from './acceptance.ts'
import { ACCEPTANCE_SCHEMA } from './acceptance-schema.ts'
import { parseAcceptance } from './parse-acceptance.ts'
import { readAcceptance } from './read-acceptance.ts'

const tests = { id: 'tests', command: 'npm test' }

const VALID: readonly unknown[] = [
  { criteria: ['The tests pass'] },
  { criteria: [{ id: 'a.b-1', must: 'x', evidence: ['changed-files'], severity: 'recommended' }] },
  { evidence: [...EVIDENCE_KINDS] },
  { verify: [tests] },
  { verify: [{ ...tests, timeoutMs: 1, allowFailure: true }] },
  { review: {} },
  { review: { agent: 'qa', focus: 'the tests', required: false } },
  { stopRules: ['Do not publish'], maxFinalizationTurns: 10, review: false },
  { criteria: ['x'], maxFinalizationTurns: 1 },
]

const INVALID: readonly (readonly [unknown, field: string])[] = [
  [{}, ''],
  [{ maxFinalizationTurns: 3 }, ''],
  [{ review: false }, ''],
  [null, ''],
  [[], ''],
  ['checked', ''],
  [true, ''],
  [{ criteria: ['x'], maxFinalizationTurns: 0 }, 'maxFinalizationTurns'],
  [{ criteria: ['x'], maxFinalizationTurns: 11 }, 'maxFinalizationTurns'],
  [{ criteria: ['x'], maxFinalizationTurns: 2.5 }, 'maxFinalizationTurns'],
  [{ criteria: ['x'], maxFinalizationTurns: '3' }, 'maxFinalizationTurns'],
  [{ criteria: ['x'], level: 'checked' }, 'level'],
  [{ criteria: [] }, 'criteria'],
  [{ criteria: 'x' }, 'criteria'],
  [{ criteria: [' '] }, 'criteria[0]'],
  [{ criteria: ['a\0b'] }, 'criteria[0]'],
  [{ criteria: [{ must: 'x' }] }, 'criteria[0].id'],
  [{ criteria: [{ id: 'a' }] }, 'criteria[0].must'],
  [{ criteria: [{ id: 'a b', must: 'x' }] }, 'criteria[0].id'],
  [{ criteria: [{ id: 'a', must: 'x', severity: 'fatal' }] }, 'criteria[0].severity'],
  [{ criteria: [{ id: 'a', must: 'x', evidence: [] }] }, 'criteria[0].evidence'],
  [{ evidence: ['changed-file'] }, 'evidence[0]'],
  [{ evidence: 'changed-files' }, 'evidence'],
  [{ verify: ['npm test'] }, 'verify[0]'],
  [{ verify: [{ command: 'npm test' }] }, 'verify[0].id'],
  [{ verify: [{ id: 'a' }] }, 'verify[0].command'],
  [{ verify: [{ ...tests, timeoutMs: 0 }] }, 'verify[0].timeoutMs'],
  [{ verify: [{ ...tests, timeoutMs: Number.POSITIVE_INFINITY }] }, 'verify[0].timeoutMs'],
  [{ verify: [{ ...tests, allowFailure: 'yes' }] }, 'verify[0].allowFailure'],
  [{ verify: [{ ...tests, cwd: '/' }] }, 'verify[0].cwd'],
  [{ verify: [{ ...tests, env: {} }] }, 'verify[0].env'],
  [{ review: true }, 'review'],
  [{ review: { agent: '../x' } }, 'review.agent'],
  [{ review: { focus: '' } }, 'review.focus'],
  [{ review: { required: 1 } }, 'review.required'],
  [{ stopRules: [1] }, 'stopRules[0]'],
  [JSON.parse('{ "criteria": ["x"], "__proto__": { "verify": [] } }'), '__proto__'],
]

const isOfSchema = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(ACCEPTANCE_SCHEMA)

describe('a contract', () => {
  it.each(VALID)('is parsed as the schema accepts it: %j', (value) => {
    expect([readAcceptance(value).kind, isOfSchema(value)]).toEqual(['valid', true])
  })

  it.each(INVALID)('H6: is refused at the wrong field, like the schema does: %j', (value, field) => {
    const reading = readAcceptance(value)
    expect(reading).toMatchObject({ kind: 'invalid', problems: [{ field }] })
    if (field !== '__proto__') expect(isOfSchema(value)).toBe(false)
  })

  it('has defaults: 3 turns, 2 minutes, the reviewer, an id for each text', () => {
    expect(parseAcceptance({ criteria: ['x', { id: 'b', must: 'y' }], verify: [tests], review: {} })).toEqual({
      criteria: [
        { id: 'criterion-1', must: 'x', evidence: [], severity: 'required' },
        { id: 'b', must: 'y', evidence: [], severity: 'required' },
      ],
      evidence: [],
      verify: [{ ...tests, timeoutMs: 120_000, allowFailure: false }],
      review: { agent: 'reviewer', focus: null, required: true },
      stopRules: [],
      maxFinalizationTurns: 3,
    })
  })

  it('refuses two criteria or commands with the same id', () => {
    const twice = [tests, tests]
    expect(readAcceptance({ verify: twice })).toMatchObject({ problems: [{ field: 'verify[1].id' }] })
    const named = ['x', { id: 'criterion-1', must: 'y' }]
    expect(readAcceptance({ criteria: named })).toMatchObject({ problems: [{ field: 'criteria[1].id' }] })
  })

  it('refuses an invalid contract in code with its place, its value and a valid form', () => {
    expect(() => parseAcceptance({})).toThrow(
      'acceptance is an object, but must be a contract with at least one of criteria, evidence, verify, review, stopRules.',
    )
    expect(() => parseAcceptance({ criteria: ['x'], verifi: [] }, 'Task({ acceptance })')).toThrow(
      'Task({ acceptance }).verifi is [], but must be left out: the fields are criteria, evidence, verify, review, ' +
        'stopRules, maxFinalizationTurns (did you mean verify?).',
    )
  })
})
