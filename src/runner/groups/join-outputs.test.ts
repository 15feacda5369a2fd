import { describe, expect, it } from 'vitest'
import type { Breach } from '../../core/index.ts'
import type { ChildResult } from './group-result.ts'
import { joinOutputs, joinOutputsWithin } from './join-outputs.ts'

const breach = { key: 'g tokens' } as Breach

function result(more: Partial<ChildResult>): ChildResult {
  return {
    agent: 'a',
    status: 'completed',
    output: null,
    partialOutput: null,
    error: null,
    artifacts: null,
    breach: null,
    ...more,
  } as ChildResult
}

const refused = (left: number): ChildResult => result({ status: 'limit-reached', breach, error: `${left} left` })
const headersOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('==='))

it('has a header for each agent, and a marker above what is not a plain answer', () => {
  const results = [
    result({ output: 'done\n' }),
    refused(5),
    result({ status: 'failed', partialOutput: 'half' }),
    result({}),
  ]
  expect(joinOutputs(results)).toBe(
    [
      '=== Parallel Task 1 (a) ===\ndone',
      '=== Parallel Task 2 (a) ===\nLIMIT REACHED: 5 left',
      '=== Parallel Task 3 (a) ===\nFAILED\nhalf',
      '=== Parallel Task 4 (a) ===\nEMPTY OUTPUT (no textual response returned)',
    ].join('\n\n'),
  )
})

it('gives more than ten in a row without text one header, if the reason is the same', () => {
  const row = Array.from({ length: 900 }, (_, index) => refused(900 - index))
  const joined = joinOutputs([result({ output: 'done' }), ...row, result({ output: 'last' })])
  expect(headersOf(joined)).toEqual([
    '=== Parallel Task 1 (a) ===',
    '=== Parallel Tasks 2 to 901 (a) ===',
    '=== Parallel Task 902 (a) ===',
  ])
  expect(joined).toContain('=== Parallel Tasks 2 to 901 (a) ===\nLIMIT REACHED: 900 left\n')
})

it.each([
  ['ten', Array.from({ length: 10 }, () => refused(1))],
  ['with text', Array.from({ length: 11 }, () => result({ ...refused(1), partialOutput: 'some' }))],
  ['of different agents', Array.from({ length: 12 }, (_, index) => ({ ...refused(1), agent: index % 2 ? 'a' : 'b' }))],
  ['for different reasons', Array.from({ length: 11 }, (_, at) => result({ status: 'failed', error: `no ${at}` }))],
])('keeps a header for each: %s', (_, results) => {
  expect(headersOf(joinOutputs(results))).toHaveLength(results.length)
})

describe('joined within a length', () => {
  const results = [
    result({ output: 'x'.repeat(5_000) }),
    refused(5),
    result({ output: 'short' }),
    result({ partialOutput: 'y'.repeat(400) }),
  ]

  it('cuts only the longest, so that every agent has its say', () => {
    const joined = joinOutputsWithin(results, 1_000)
    expect(joined.length).toBeLessThan(1_050)
    expect(headersOf(joined)).toHaveLength(4)
    expect(joined).toMatch(/x{100,}\n\[cut: \d+ more characters\]\n/)
    expect(joined).toMatch(/\nshort\n\n.*\ny{400}$/s)
  })

  it('cuts nothing that fits', () => {
    expect(joinOutputsWithin(results, 10_000)).toBe(joinOutputs(results))
  })
})
