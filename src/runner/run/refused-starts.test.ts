import { describe, expect, it } from 'vitest'
import type { Breach } from '../../core/index.ts'
import type { RunResult } from './end/run-result.ts'
import { createRefusedStarts, type StartingChild } from './refused-starts.ts'

const child = (tokens: number, name = 'a', parentId = 'g'): StartingChild => ({
  saved: {
    id: 'child',
    agent: { name },
    models: ['m'],
    tools: null,
    wrapUp: true,
  } as unknown as StartingChild['saved'],
  parentId,
  needs: { modelCalls: 1, tokens, cost: 10 },
})

const ended = (breach: Partial<Breach>, { status = 'limit-reached', calls = 0 } = {}) =>
  ({ status, breach, usage: { modelCalls: { settled: calls } } }) as unknown as RunResult

const refused = (more: Partial<Breach> = {}) => ended({ scope: 'g', meter: 'cost', asked: 25, ...more })

describe('what a child must find to be started', () => {
  it('is what the first call of one like it needed, if its prompt is not shorter', () => {
    const starts = createRefusedStarts()
    expect(starts.needsOf(child(100))).toEqual({ modelCalls: 1, tokens: 100, cost: 10 })
    starts.learn(child(100), refused())
    starts.learn(child(100), refused({ meter: 'tokens', asked: 90 }))
    expect(starts.needsOf(child(100))).toEqual({ modelCalls: 1, tokens: 100, cost: 25 })
    expect(starts.needsOf(child(200))).toEqual({ modelCalls: 1, tokens: 200, cost: 25 })
    expect(starts.needsOf(child(99)).cost).toBe(10)
  })

  it('is not learned from another agent, nor below another parent', () => {
    const starts = createRefusedStarts()
    starts.learn(child(100), refused())
    expect(starts.needsOf(child(100, 'b')).cost).toBe(10)
    expect(starts.needsOf(child(100, 'a', 'h')).cost).toBe(10)
  })

  it.each([
    ['completed', ended({}, { status: 'completed' })],
    ['was refused a later call', ended({ scope: 'g', meter: 'cost', asked: 25 }, { calls: 1 })],
    ['reached a limit of its own', refused({ scope: 'child' })],
    ['reached a limit that needs nothing', refused({ meter: 'time' })],
  ])('is not learned from a child that %s', (_, result) => {
    const starts = createRefusedStarts()
    starts.learn(child(100), result)
    expect(starts.needsOf(child(100))).toEqual(child(100).needs)
  })
})
