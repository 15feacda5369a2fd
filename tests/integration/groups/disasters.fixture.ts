import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import type { RunResult } from '../../../src/runner/index.ts'
import type { RunnerStage } from '../runner/runner.fixture.ts'
import { call, createTeam } from '../subagents/subagents.fixture.ts'
import { modelThat } from './modes.fixture.ts'

/** The limits of a whole run, as its call gives them. */
export const runLimits = (limits: object) => [{ layer: 'call', call: 'the run', limits } as const]

/** A model that answers with one word, for 3,010 tokens. */
export const word = () => modelThat(() => ({ text: 'word', usage: { inputTokens: 3_000, outputTokens: 10 } }))

/** A model that orders once, and answers with what it is told. */
export const ordersOnce = (order: object) =>
  modelThat((told, { messages }) => (messages.at(-1)?.role === 'tool' ? { text: told } : call('subagent', order)))

/** 547 agents at most: one that lists, 500 at once, one for each of up to 45 items, and one that sums up. */
export const AUDIT = {
  name: 'audit',
  steps: [
    { agent: 'a', task: 'list', as: 'list' },
    { parallel: [{ agent: 'a', task: 'look', count: 500 }] },
    {
      expand: { from: { output: 'list' }, maxItems: 45 },
      parallel: { agent: 'a', task: '{item}' },
      collect: { as: 'found' },
    },
    { agent: 'a', task: 'sum up {outputs.found}' },
  ],
}

/** The spend has kept the limit, nothing is held any more, and every scope has ended. */
export async function expectKept({ store }: RunnerStage, { tokens }: RunResult['usage']): Promise<void> {
  expect(tokens).toMatchObject({ reserved: 0, held: 0, overrun: 0 })
  expect(tokens.settled).toBeGreaterThan(0)
  expect(tokens.settled).toBeLessThanOrEqual(tokens.limit!)
  const scopes = await store.list({ standing: 'all', atMs: Date.now() })
  expect(scopes).not.toEqual([])
  expect(scopes.filter(({ status }) => ['running', 'queued', 'paused'].includes(status))).toEqual([])
}

/** One agent that asks for so many others, some with each answer, under a limit of 20. */
export async function expectTwentyOf(total: number, perAnswer: number): Promise<void> {
  const a = word()
  let asked = 0
  let told: readonly string[] = []
  const boss = modelThat((_, { messages }) => {
    if (asked === total) {
      told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
      return { text: 'enough' }
    }
    const part = () => ({ name: 'subagent', arguments: { agent: 'a', task: `part ${++asked}` }, id: `part-${asked}` })
    return { toolCalls: Array.from({ length: perAnswer }, part) }
  })
  // With few at once, some of those that wait would be refused for that instead.
  const stage = createTeam({ boss, a }, { limits: { boss: { limits: { concurrency: 1_000 } } } })
  const { runner, workingFolder, boss: agent } = stage
  const layers = runLimits({ tokens: '4m', spawns: 20, toolCalls: 1_000 })
  const result = await runner.run({ agent, task: 'go', workingFolder, layers })
  expect(result.error).toBe(null)
  expect(a.book).toHaveLength(20)
  expect(told).toHaveLength(total)
  expect(told.filter((text) => /^a: completed/.test(text))).toHaveLength(20)
  const refusal = /The spawns limit of "boss" is used up: .* To allow more, change spawns in the call/
  expect(told.filter((text) => refusal.test(text))).toHaveLength(total - 20)
  expect(result.usage.spawns.settled).toBe(20)
  // A refused agent costs no disk writes: only the boss and those that ran have a folder.
  expect(readdirSync(stage.taskFolder)).toHaveLength(21)
  await expectKept(stage, result.usage)
}
