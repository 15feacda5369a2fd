import { describe, expect, it } from 'vitest'
import type { Entry, Reservation } from '../../../../src/server/contract.ts'
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

  it('shows what is kept with a call: its wait, its hint, a cap that cut its answer, and that it was the closing one', () => {
    const call = (seq: number, about: object, units: number, outputTokens: number) =>
      entry('call_settled', seq, {
        call: 'model',
        call_name: 'm',
        record: {
          id: `c${seq}`,
          atMs: 1000 * seq - 500,
          endedAtMs: 1000 * seq,
          units,
          about: { call: 'model', name: 'm', ...about },
          result: { ending: 'answered', usage: { outputTokens } },
        },
      })
    const items = timelineItems([
      call(10, { waitedMs: 4000, hint: '[budget: 3 of 20 tool calls left]', outputTokens: 8000 }, 900, 900),
      call(20, { outputTokens: 8000 }, 900, 120),
      call(30, { isClosing: true, outputTokens: 8000 }, 600, 600),
    ])
    expect(items.map(({ kind, detail, fromMs }) => [kind, detail, fromMs])).toEqual([
      ['wait', 'until calls in flight were settled', 5500],
      ['hint', '[budget: 3 of 20 tool calls left]', 9500],
      ['clamp', '900 of 8k output tokens', 9500],
      ['model', 'at most 900 out', 9500],
      ['model', 'at most 900 out', 19_500],
      ['closing', 'at most 600 out', 29_500],
    ])
  })

  it('shows calls in flight with the most that they can cost', () => {
    const open = {
      id: 'c1',
      scopePath: 'triage',
      atMs: 5000,
      reserved: { costNanoUsd: 90_000_000 },
      about: { call: 'model', name: 'm' },
    } as unknown as Reservation
    expect(timelineItems([entry('scope_opened', 1)], [open], 8000).at(-1)).toMatchObject({
      kind: 'model',
      detail: 'in flight',
      toMs: 8000,
      costNanoUsd: 90_000_000,
      isOpen: true,
    })
  })

  it('gives the reason of a request once, not again with the pause that waits for its answer', () => {
    const items = timelineItems([
      entry('increase_requested', 1, { limit_name: 'cost', reason: 'two files left' }),
      entry('agent_paused', 2, { reason: 'two files left' }),
      entry('agent_paused', 3, { reason: 'lunch' }),
    ])
    expect(items.map(({ detail }) => detail)).toEqual(['two files left', 'until it is answered', 'lunch'])
  })

  it('shows an event without its fields with less detail, without an error', () => {
    expect(timelineItems([entry('limit_exceeded', 1), entry('reservation_denied', 2)])).toHaveLength(2)
  })
})
