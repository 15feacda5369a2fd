import { describe, expect, it } from 'vitest'
import type { JournalFact } from '../../operations/index.ts'
import { bodyFromFacts, createFactReader } from './compact-facts.ts'

const AT = Date.UTC(2026, 10, 18)
const amounts = [0, 1, 1_200, 300, 0, 30_000, 0, 0, 0]
const nothing = [0, 0, 0, 0, 0, 0, 0, 0, 0]
const reserved = { kind: 'reserved', at: AT, scope: 'run', reservation: 'one', holder: 'host:1', amounts, sequence: 7 }
const settled = { kind: 'settled', at: AT + 50, scope: 'run', reservation: 'one', charged: amounts, state: 'settled' }
const facts = [
  reserved,
  { ...reserved, at: AT - 5, reservation: 'two', sequence: 8 },
  { ...reserved, scope: 'other', holder: 'host:2', reservation: 'three', sequence: 9 },
  { ...reserved, reservation: 'four', sequence: 10 },
  { ...settled, sequence: 7, usage: { inputTokens: 900, 'a class of its own': 3, outputTokens: 100 }, price: 'table' },
  { ...settled, reservation: 'two', kind: 'released', state: 'released', charged: nothing, sequence: 8 },
  { ...settled, scope: 'other', reservation: 'three', kind: 'assumed', state: 'assumed', sequence: 9 },
  { ...settled, scope: 'other', reservation: 'three', kind: 'corrected', sequence: 9 },
  { ...settled, reservation: 'four', sequence: 10, by: 'ann', reason: 'she knows' },
  { kind: 'closed', at: AT + 60, scope: 'run', status: 'completed' },
] as const as readonly JournalFact[]

describe('the facts of an entry', () => {
  it('are read as they were written, together or one entry each', () => {
    expect(createFactReader().factsIn(bodyFromFacts(facts))).toEqual(facts)
    const reader = createFactReader()
    expect(facts.flatMap((fact) => reader.factsIn(bodyFromFacts([fact])))).toEqual(facts)
  })

  it('are short if every call has them', () => {
    expect(bodyFromFacts(facts.slice(0, 2))).toBe(
      `[["r",${AT},"run","one","host:1",[1,1,2,1200,3,300,5,30000],7],["r",-5,0,"two",0,[1,1,2,1200,3,300,5,30000],8]]`,
    )
  })

  it('of earlier versions can be read', () => {
    const body = JSON.stringify(facts)
    expect(createFactReader().factsIn(body)).toEqual(facts)
    expect(createFactReader().factsIn(JSON.stringify(facts[0]))).toEqual([facts[0]])
  })

  it('that charge what was never reserved cannot be read', () => {
    const body = bodyFromFacts([facts[4]!])
    expect(() => createFactReader().factsIn(body)).toThrow('the reservation 7 was never created')
  })
})
