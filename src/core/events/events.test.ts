import { describe, expect, it } from 'vitest'
import { balanceOf } from '../decide/balance.ts'
import { breachOf } from '../limits/breach.ts'
import { limitFixture } from '../limits/limit.fixture.ts'
import { EVENT_NAMES, parseEventName } from './event-names.ts'
import { type EventSubject, limitEventFromBreach, limitEventFromCrossing } from './events.ts'

const subject: EventSubject = {
  runId: 'run-1',
  taskId: '51',
  agentName: 'triage',
  agentType: 'developer',
  elapsedMs: 450_000,
  accumulatedCostNanoUsd: 850_000_000,
  turns: 5,
}
const limit = limitFixture('toolCalls', 10, {
  source: { layer: 'call', written: 'max_turns', flag: '--limit max_turns=10' },
})

describe('limit events', () => {
  it('A1: report how near a limit is', () => {
    const passed = {
      scopeId: 'run-1',
      scopePath: 'triage',
      limit,
      crossing: { kind: 'nearing', threshold: 0.8 },
      settled: 8,
      reserved: 1,
      held: 0,
      resetsAt: null,
    } as const
    expect(limitEventFromCrossing({ event: 'limit_nearing', atMs: 0 }, subject, passed)).toEqual({
      event: 'limit_nearing',
      ts: '1970-01-01T00:00:00.000Z',
      run_id: 'run-1',
      task_id: '51',
      agent_name: 'triage',
      agent_type: 'developer',
      scope: 'run-1',
      scope_path: 'triage',
      limit_kind: 'toolCalls',
      limit_name: 'max_turns',
      limit: 10,
      threshold: 0.8,
      used: 8,
      reserved: 1,
      requested: 0,
      remaining: 1,
      ratio: 0.8,
      exceeded_by: 0,
      action: 'terminate',
      source: 'the flag --limit max_turns=10',
      elapsed_ms: 450_000,
      accumulated_cost_usd: 0.85,
      turns: 5,
    })
  })

  it('A2: report the refusal, and name the limit as it was written', () => {
    const breach = breachOf({ id: 'run-1', path: 'triage', limits: [] }, balanceOf(limit, { settled: 10 }), 1)
    const event = limitEventFromBreach({ event: 'limit_exceeded', atMs: 0 }, subject, breach)
    expect(event).toMatchObject({ used: 10, requested: 1, exceeded_by: 1, error: 'Agent exceeded max_turns limit' })
    expect(JSON.stringify(event)).not.toContain('\n')
  })

  it('have no ratio for a limit of 0', () => {
    const none = limitFixture('toolCalls', 0)
    const breach = breachOf({ id: 'run-1', path: 'triage', limits: [] }, balanceOf(none), 1)
    expect(limitEventFromBreach({ event: 'limit_exceeded', atMs: 0 }, subject, breach).ratio).toBe(null)
  })

  it('have unique names', () => {
    expect(new Set(EVENT_NAMES).size).toBe(EVENT_NAMES.length)
  })

  it('may be named in upper case too, but in no other spelling', () => {
    expect(parseEventName('AGENT_FAILED')).toBe('agent_failed')
    expect(parseEventName('agent_failed')).toBe('agent_failed')
    for (const other of ['Agent_failed', 'agent-failed', '', '__proto__', 'toString', null, 7]) {
      expect(parseEventName(other)).toBe(null)
    }
  })
})
