import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../../src/server/contract.ts'
import { timelineItems } from './timeline-items.ts'

function entry(event: Entry['event'], seq: number, more: Record<string, unknown> = {}): Entry {
  const written: unknown = {
    event,
    ts: new Date(1000 * seq).toISOString(),
    seq,
    run_id: 'run',
    task_id: null,
    agent_name: 'triage',
    agent_type: null,
    scope: 'run',
    scope_path: 'triage',
    ...more,
  }
  return written as Entry
}

describe('a timeline', () => {
  it('shows calls from their start to their end, with their cost', () => {
    const call = entry('call_settled', 9, {
      call: 'model',
      call_name: 'claude-sonnet-4-5',
      reservation: 'c1',
      refused: false,
      charged: { cost: 64_000_000 },
      record: {
        atMs: 2000,
        endedAtMs: 9000,
        charged: { costNanoUsd: 64_000_000, tokens: 21_000 },
        result: { ending: 'answered' },
      },
    })
    expect(timelineItems([call])).toEqual([
      {
        key: '9 call_settled',
        kind: 'model',
        title: 'claude-sonnet-4-5',
        detail: '21k tokens',
        scopePath: 'triage',
        fromMs: 2000,
        toMs: 9000,
        costNanoUsd: 64_000_000,
      },
    ])
  })

  it('shows the closing call, and sorts everything by its start', () => {
    const items = timelineItems([
      entry('wrap_up_started', 3, { reservation: 'c2', max_output_tokens: 900 }),
      entry('call_settled', 5, { call: 'model', call_name: 'm', reservation: 'c2', refused: false, charged: {} }),
      entry('agent_resumed', 4, { paused_ms: 3000, by: 'ann' }),
    ])
    expect(items.map(({ kind, title, detail }) => [kind, title, detail])).toEqual([
      ['pause', 'Resumed', 'after 3s by ann'],
      ['closing', 'Closing call', 'at most 900 tokens'],
      ['closing', 'm, closing answer', ''],
    ])
  })

  it('shows an event without its fields with less detail, without an error', () => {
    expect(timelineItems([entry('limit_exceeded', 1), entry('reservation_denied', 2)])).toHaveLength(2)
  })
})
