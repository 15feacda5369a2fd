import { expect, it } from 'vitest'
import { type Breach, METERS } from '../../core/index.ts'
import type { ChildResult, GroupResult } from '../../runner/index.ts'
import { PLAIN } from '../output/paint.ts'
import { groupSummary } from './group-summary.ts'

const breachOfPool = { key: 'g tokens', message: 'The pool is used up.' } as Breach

const UNUSED = { settled: 0, limit: null, written: null, assumed: 0, refused: 0 }
const usage = Object.fromEntries(Object.keys(METERS).map((meter) => [meter, UNUSED]))

/** An agent that ended like this. */
function child(key: number, more: Partial<ChildResult>): ChildResult {
  return {
    agent: 'explore',
    key: String(key),
    status: 'completed',
    error: null,
    breach: null,
    warnings: [],
    ...more,
  } as ChildResult
}

function summaryOf(results: readonly ChildResult[]): string {
  const ended = { path: 'g', status: 'limit-reached', counts: 'some', usage, error: null, breach: null }
  return groupSummary(
    { ...ended, warnings: [], artifacts: { folder: 'there' }, results } as unknown as GroupResult,
    PLAIN,
  )
}

const reached = (error: string) => ({ status: 'limit-reached', breach: breachOfPool, error }) as const

it('lists agents that reached the same limit together, even if each had a different rest', () => {
  const summary = summaryOf([
    child(1, {}),
    child(2, reached('5 left')),
    child(3, reached('4 left')),
    child(4, reached('Not started. 3 left')),
    child(5, reached('Not started. 2 left')),
    child(6, { status: 'failed', error: 'no such file' }),
    child(7, { status: 'failed', error: 'no such folder' }),
  ])
  expect(summary.split('\n').slice(1, -1)).toEqual([
    '  2 agents limit-reached: 5 left',
    '  2 agents limit-reached: Not started. 3 left',
    '  explore (6) failed: no such file',
    '  explore (7) failed: no such folder',
  ])
})

it('says why an agent is paused', () => {
  const summary = summaryOf([
    child(1, { status: 'paused', warnings: ['Paused: The upstream left 2 calls unfinished.'] }),
    child(2, { status: 'paused', breach: breachOfPool }),
  ])
  expect(summary).toContain('  explore (1) paused: The upstream left 2 calls unfinished.\n')
  expect(summary).toContain('  explore (2) paused: The pool is used up.\n')
})
