import { describe, expect, it } from 'vitest'
import type { Action } from '../../core/limits/action.ts'
import { METER_NAMES } from '../../core/meter.ts'
import { repeatBreachOf } from '../repeat-guard/index.ts'
import { notRunResult, type ReachedLimit, refusedToolResult, wrapUpText } from './index.ts'
import { usd } from './standing.fixture.ts'

function reached(meter: ReachedLimit['meter'], limit: number, more: Partial<ReachedLimit> = {}): ReachedLimit {
  const standing = { settled: limit, reserved: 0, asked: 1, remaining: 0, resetsAt: null }
  return { meter, limit, per: null, action: 'terminate', scopePath: 'review/triage', ...standing, ...more }
}

describe('wrapUpText', () => {
  it.each([
    ['toolCalls', 20, 'the limit of 20 tool calls'],
    ['toolCalls', 1, 'the limit of 1 tool call'],
    ['outputTokens', 1500, 'the limit of 1500 output tokens'],
    ['cost', usd(1), 'the cost limit of $1.00'],
    ['planningCost', usd(0.5), 'the planning cost limit of $0.50'],
    ['time', 600_000, 'the time limit of 10m'],
    ['idleTime', 30_000, 'the idle time limit of 30s'],
    ['messages', 24, 'the limit of 24 messages'],
    ['repeat', 3, 'the limit of 3 calls with the same arguments and the same result'],
  ] as const)('names the limit on %s, forbids tools and asks for the results so far', (meter, limit, phrase) => {
    expect(wrapUpText(reached(meter, limit))).toBe(
      `You have reached ${phrase}. This is your last message: do not call any tool. ` +
        'Give what you have so far, then say what is missing and what the next steps are.',
    )
  })

  it('names the period', () => {
    expect(wrapUpText(reached('cost', usd(10), { per: 'day' }))).toContain('the cost limit of $10.00 per day')
  })
})

describe('notRunResult', () => {
  it.each([
    [
      'terminate',
      'Not run: the limit of 20 tool calls was reached. Do not call it again; answer with what you have and what is missing.',
    ],
    [
      'pause',
      'Not run: the run was paused at the limit of 20 tool calls. Once it resumes, call this again if you still need it.',
    ],
    [
      'ask',
      'Not run: the run was paused at the limit of 20 tool calls. Once it resumes, call this again if you still need it.',
    ],
  ] as const)('says what to do under %s', (action, text) => {
    expect(notRunResult(reached('toolCalls', 20, { action }))).toBe(text)
  })
})

describe('refusedToolResult', () => {
  it('names the limit, the scope, its state and what to do', () => {
    expect(refusedToolResult(reached('toolCalls', 20))).toBe(
      'Refused, not run: the limit of 20 tool calls of "review/triage" does not allow it ' +
        '(20 settled, 0 reserved, 0 left, 1 asked). Do not try again; answer with what you have and what is missing.',
    )
  })

  it('says when a window opens', () => {
    const resetsAt = Date.UTC(2026, 10, 16)
    expect(refusedToolResult(reached('cost', usd(10), { per: 'day', resetsAt, asked: usd(0.25) }))).toContain(
      'the cost limit of $10.00 per day of "review/triage" does not allow it ' +
        '($10.00 settled, $0.00 reserved, $0.00 left, $0.25 asked). It resets at 2026-11-16T00:00:00.000Z.',
    )
  })

  it.each(['pause', 'ask'] as const)('says that the run will be paused under %s', (action) => {
    expect(refusedToolResult(reached('toolCalls', 20, { action }))).toContain('The run will be paused')
  })

  it.each(['spawns', 'depth', 'concurrency'] as const)(
    'advises the agent to do the work itself when %s is used up',
    (meter) => {
      expect(refusedToolResult(reached(meter, 2, { action: 'pause' }))).toContain('Do the work yourself')
    },
  )

  it('covers the repeat guard too', () => {
    expect(refusedToolResult(repeatBreachOf('read', { id: 'run-1', path: 'run' }, 'terminate'))).toContain(
      'the limit of 3 calls with the same arguments and the same result of "run" does not allow it',
    )
  })

  it('has words for every meter and action', () => {
    const actions: readonly Action[] = ['terminate', 'pause', 'warn', 'ask']
    for (const meter of METER_NAMES) {
      for (const action of actions) {
        expect(refusedToolResult(reached(meter, 2, { action }))).not.toMatch(/undefined|NaN/)
      }
    }
  })
})
