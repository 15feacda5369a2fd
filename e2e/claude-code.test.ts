import { describe, expect, it } from 'vitest'
import type { ProviderScript } from '../src/testing/provider/index.ts'
import { describeProgram } from './describe-program.ts'
import { CLOSING } from './programs/agent-program.ts'
import { claudeCode } from './programs/claude-code.ts'
import { stageProgram } from './run-program.ts'

describeProgram(claudeCode)

const NANO = 1_000_000_000
const AGENT_ID = 'x-claude-code-agent-id'

/** Hands its task to an agent, which loops; then it says what the agent said. */
const delegates: ProviderScript = (request) => {
  if (request.headers[AGENT_ID] !== undefined && typeof claudeCode.loops === 'function')
    return claudeCode.loops(request)
  if (!request.mayCallTools || request.toolRounds > 0) return { text: 'My agent is back.' }
  const task = { description: 'Count', prompt: 'count for ever', subagent_type: 'general-purpose' }
  return { toolCalls: [{ name: 'Agent', arguments: task }] }
}

/** Splits its task among three agents, which loop; then it says that they are back. */
const splits: ProviderScript = (request) => {
  if (request.headers[AGENT_ID] !== undefined && typeof claudeCode.loops === 'function')
    return claudeCode.loops(request)
  if (!request.mayCallTools || request.toolRounds > 0) return { text: 'All three are back.' }
  const parts = ['the tutorial', 'the reference', 'the decisions']
  const tasks = parts.map((part) => ({ description: part, prompt: `Review ${part}`, subagent_type: 'general-purpose' }))
  return { toolCalls: tasks.map((task) => ({ name: 'Agent', arguments: task })) }
}

describe('Claude Code', () => {
  it('D9: goes on under cost=1 until more than 70 % is spent, never past it, and ends with an answer', async () => {
    const stage = await stageProgram(claudeCode)
    const end = await stage.exec(['--limit', 'cost=1'])
    expect(end.stdout.trim()).toBe(CLOSING)
    const { costNanoUsd } = stage.provider.book()
    expect(end.report.usage.cost!.settled).toBe(costNanoUsd)
    expect(costNanoUsd).toBeGreaterThan(0.7 * NANO)
    expect(costNanoUsd).toBeLessThanOrEqual(NANO)
    expect(stage.provider.requests[0]!.body.length).toBeGreaterThan(80_000)
  })

  it('has its agents as scopes below its own, each call counted once', async () => {
    const stage = await stageProgram(claudeCode, delegates)
    const end = await stage.exec(['--limit', 'turns=5'])
    expect(end).toMatchObject({
      exitCode: 124,
      stdout: expect.stringContaining('My agent is back.'),
      report: { status: 'limit-reached' },
    })
    const { costNanoUsd, requests, toolCalls } = stage.provider.book()
    // One is the call of the agent itself.
    expect(toolCalls).toBe(5)
    expect(end.report.usage).toMatchObject({
      toolCalls: { settled: 5 },
      modelCalls: { settled: requests },
      spawns: { settled: 1 },
      cost: { settled: costNanoUsd },
    })
    expect(end.report).toMatchObject({ calls: requests })
    expect(await stage.scopes()).toMatchObject([
      { path: 'claude', status: 'limit-reached' },
      { path: expect.stringMatching(/^claude\/agent \w+$/), totals: { toolCalls: { settled: 4 } } },
    ])
  })

  it('splits its task among three agents: each is a scope, each ends with an answer, and together they keep the limit', async () => {
    const stage = await stageProgram(claudeCode, splits)
    const end = await stage.exec(['--limit', 'cost=1.5'])
    expect(end.stdout).toContain('All three are back.')
    const { costNanoUsd, requests } = stage.provider.book()
    expect(costNanoUsd).toBeLessThanOrEqual(1.5 * NANO)
    expect(end.report.usage).toMatchObject({
      modelCalls: { settled: requests },
      spawns: { settled: 3 },
      cost: { settled: costNanoUsd },
    })
    const [, ...agents] = await stage.scopes()
    expect(agents.map(({ path }) => path)).toEqual(Array(3).fill(expect.stringMatching(/^claude\/agent \w+$/)))
    // They work in the background: the one that started them may have closed before it has all of their answers.
    const lastOfAgent = new Map(stage.provider.requests.map(({ headers, body }) => [headers[AGENT_ID], String(body)]))
    lastOfAgent.delete(undefined)
    expect([...lastOfAgent.values()]).toEqual(Array(3).fill(expect.stringContaining('This is your last message')))
    expect(stage.provider.book().entries.every(({ outcome }) => outcome === 'answered')).toBe(true)
  })
})
