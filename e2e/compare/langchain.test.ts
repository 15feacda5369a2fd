import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ProviderScript } from '../../src/testing/provider/index.ts'
import { type AgentProgram, CLOSING } from '../programs/agent-program.ts'
import { stageProgram } from '../run-program.ts'
import { showComparison } from './show-comparison.ts'

const LIMIT = 5
const COMMAND = ['node', join(import.meta.dirname, 'langchain-agent.mjs')]

/** Calls the one tool that it is offered, for ever. */
const loops: ProviderScript = ({ number, tools: [tool], mayCallTools }) =>
  mayCallTools && tool !== undefined
    ? { toolCalls: [{ name: tool.name, arguments: { page: number } }] }
    : { text: CLOSING }

function langchain(settings: Readonly<Record<string, string>>): AgentProgram {
  return {
    name: 'LangChain',
    command: COMMAND,
    directCommand: () => ['env', ...Object.entries(settings).map(([name, value]) => `${name}=${value}`), ...COMMAND],
    settings: () => ({ SUBAGENT: settings.SUBAGENT ?? '' }),
    tool: { toolName: 'read' },
    loops,
    worksTwice: loops,
    costUsd: 1,
    drift: [],
  }
}

async function compare(title: string, settings: Readonly<Record<string, string>>) {
  const program = langchain({ ...settings, LIMIT: String(LIMIT) })
  const own = await stageProgram(program)
  const ownEnd = await own.runDirectly()
  const ours = await stageProgram(program)
  const oursEnd = await ours.exec(['--limit', `modelCalls=${LIMIT}`])
  showComparison(title, [
    { limit: `modelCallLimitMiddleware({ runLimit: ${LIMIT} })`, book: own.provider.book(), answer: ownEnd.stdout },
    { limit: `stint exec --limit modelCalls=${LIMIT}`, book: ours.provider.book(), answer: oursEnd.stdout },
  ])
  return { own: own.provider.book(), ownEnd, ours: ours.provider.book(), oursEnd }
}

describe("LangChain's modelCallLimitMiddleware", () => {
  it('ends an agent with a message of its own, where Stint ends it with an answer', async () => {
    const { own, ownEnd, ours, oursEnd } = await compare('One agent', {})
    expect(own.requests).toBe(LIMIT)
    expect(ownEnd.stdout).toContain('Model call limits exceeded')
    expect(ours.requests).toBe(LIMIT)
    expect(oursEnd.stdout.trim()).toBe(CLOSING)
  })

  it('counts each agent by itself, where Stint counts the whole program', async () => {
    const { own, ours } = await compare('An agent with a subagent', { SUBAGENT: '1' })
    expect(own.requests).toBe(LIMIT + LIMIT * LIMIT)
    expect(ours.requests).toBe(LIMIT)
  })
})
