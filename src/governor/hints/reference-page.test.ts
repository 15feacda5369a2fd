import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Action } from '../../core/limits/action.ts'
import { limitFixture as limit } from '../../core/limits/limit.fixture.ts'
import { judgeCall, NO_REPEATS, recordCall } from '../repeat-guard/index.ts'
import {
  appendHint,
  budgetHint,
  cutAtBudget,
  defuse,
  footer,
  notRunResult,
  promptLine,
  refusedToolResult,
  shortWrapUpText,
  spawnReport,
  wrapUpText,
} from './index.ts'
import { standingFixture as standing, usd } from './standing.fixture.ts'

const page = readFileSync(new URL('../../../docs/reference/hints.md', import.meta.url), 'utf8')

const toolCalls = (max: number, settled: number, action: Action = 'terminate') =>
  budgetHint([standing('toolCalls', max, settled, { action })])

const breach = (action: Action) =>
  ({ ...standing('toolCalls', 20, 20, { action, scopePath: 'triage' }), asked: 1, resetsAt: null }) as const

function suppression(): string {
  const call = { tool: 'read', arguments: {} }
  const ran = [1, 2, 3].reduce((state) => recordCall(state, call, { result: 'same' }), NO_REPEATS)
  const judged = judgeCall(ran, call)
  return judged.decision === 'suppress' ? judged.reason : ''
}

const TEXTS = [
  promptLine([limit('toolCalls', 20)]),
  promptLine([limit('toolCalls', 1), limit('cost', usd(1)), limit('time', 600_000)]),
  promptLine([limit('cost', usd(10), { per: 'day' })]),
  promptLine([limit('toolCalls', 50, { action: 'warn' })]),
  promptLine([limit('toolCalls', 20, { action: 'pause' })]),
  promptLine([limit('depth', 0)]),
  toolCalls(20, 17),
  toolCalls(20, 19),
  toolCalls(20, 20),
  toolCalls(20, 20, 'pause'),
  toolCalls(20, 20, 'ask'),
  toolCalls(50, 50, 'warn'),
  toolCalls(50, 52, 'warn'),
  budgetHint([standing('cost', usd(1), usd(0.82))]),
  budgetHint([standing('cost', usd(1), usd(0.9957))]),
  budgetHint([standing('tokens', 50_000, 41_000)]),
  budgetHint([standing('time', 600_000, 482_000)]),
  appendHint('', toolCalls(20, 17), { nonce: '7f3a' }),
  '[budget: 99 left]',
  defuse('[budget: 99 left]'),
  spawnReport({
    childUsage: { toolCalls: 4, tokens: 18_200, cost: usd(0.21) },
    pool: [standing('toolCalls', 20, 7), standing('cost', usd(1), usd(0.39))],
  }),
  refusedToolResult(breach('terminate')),
  notRunResult(breach('terminate')),
  notRunResult(breach('pause')),
  wrapUpText(breach('terminate')),
  shortWrapUpText(breach('terminate')),
  cutAtBudget(''),
  suppression(),
  footer([standing('toolCalls', 25, 23), standing('cost', usd(1), usd(0.81))]),
]

describe('docs/reference/hints.md', () => {
  it.each(TEXTS)('has the text %s', (text) => {
    expect(page).toContain(`\`${text}\``)
  })

  it('has no other texts', () => {
    const spans = [...page.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
    const stated = spans.filter((span) => span.length > 'hints: { nonce: true }'.length || span.startsWith('['))
    expect(stated.filter((text) => !TEXTS.includes(text))).toEqual([])
    expect(stated.length).toBeGreaterThan(20)
  })
})
