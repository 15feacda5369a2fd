import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { loopForEver, type ProviderRequest, type ProviderTurn } from '../../../src/testing/provider/index.ts'
import { runAgent, WIRES } from './agents.ts'
import { startStage } from './stage.ts'

const TOOLS: Anthropic.Tool[] = [{ name: 'look', input_schema: { type: 'object' } }]
const CLAUDE = { model: 'claude-haiku-5-5', max_tokens: 1_000 } as const

describe('the end at the gateway', () => {
  it.each(WIRES)(
    'A6: after the wrap-up every request is refused with 402, in the form of %s, and none goes upstream',
    async (wire) => {
      const stage = await startStage({ limits: { toolCalls: 1 }, script: loopForEver() })
      await runAgent(stage, wire)
      expect(stage.provider.requestCount).toBe(2)
      for (let again = 0; again < 3; again++) {
        const { error } = await runAgent(stage, wire, { isStream: again === 1 })
        expect(error).toMatchObject({ status: 402 })
        expect(error!.message).toContain('1 more requested')
        expect(error!.message).toContain('limits.toolCalls')
      }
      expect(stage.provider.requestCount).toBe(2)
    },
  )

  it.each(WIRES)('no retry storm: a client that retries asks once, %s', async (wire) => {
    const stage = await startStage({ limits: { modelCalls: 1 }, script: loopForEver() })
    let asked = 0
    const fetchCounted: typeof fetch = (...request) => {
      asked++
      return fetch(...request)
    }
    const clients = {
      anthropic: () => stage.anthropic({ maxRetries: 5, fetch: fetchCounted }),
      openai: () => stage.openai({ maxRetries: 5, fetch: fetchCounted }),
    }
    expect((await runAgent(clients, wire)).error).toMatchObject({ status: 402 })
    expect(asked).toBe(2)
  })

  it('I9: a title request never uses up the wrap-up, and is refused when only the hold is left', async () => {
    const stage = await startStage({ limits: { modelCalls: 3 }, script: loopForEver() })
    const client = stage.anthropic()
    const title = () => client.messages.create({ ...CLAUDE, messages: [{ role: 'user', content: 'a title' }] })
    const work = () => client.messages.create({ ...CLAUDE, tools: TOOLS, messages: [{ role: 'user', content: 'go' }] })
    expect((await work()).stop_reason).toBe('tool_use')
    expect((await title()).content).toMatchObject([{ text: 'This is how far I came.' }])
    await expect(title()).rejects.toMatchObject({ status: 402 })
    expect((await work()).content).toMatchObject([{ type: 'text', text: 'This is how far I came.' }])
    await expect(work()).rejects.toMatchObject({ status: 402 })
    expect(stage.provider.requestCount).toBe(3)
    expect(JSON.parse(stage.provider.requests[2]!.body.toString())).toMatchObject({ tool_choice: { type: 'none' } })
  })

  it('a provider that does not know `none` is asked again without tools, and everything else unchanged', async () => {
    const loop = loopForEver() as (request: ProviderRequest) => ProviderTurn
    const message = 'tool_choice: none is not supported'
    const stage = await startStage({
      limits: { toolCalls: 2 },
      script: (request) => {
        if (request.toolChoice === 'none') return { fault: { kind: 'status', status: 400, message } }
        return { ...loop(request), answersWithoutTools: true }
      },
    })
    const agent = await runAgent(stage, 'anthropic-messages', { result: (call) => `what came of ${call}` })
    expect(agent).toMatchObject({ error: null, toolRuns: 2, text: 'This is how far I came.' })
    const [, , refused, closing] = stage.provider.requests.map(({ body }) => body.toString().match(/what came of/g))
    expect(refused).toHaveLength(2)
    expect(closing).toHaveLength(2)
  })

  it('I9: a program without tools loses nothing to a hold', async () => {
    const stage = await startStage({ limits: { modelCalls: 2 } })
    const ask = () => stage.anthropic().messages.create({ ...CLAUDE, messages: [{ role: 'user', content: 'hi' }] })
    await ask()
    await ask()
    await expect(ask()).rejects.toMatchObject({ status: 402 })
    expect(stage.provider.requestCount).toBe(2)
  })

  it('I9: a forced tool keeps its format in the closing answer, and is allowed once', async () => {
    const stage = await startStage({ limits: { toolCalls: 1 }, script: loopForEver({ parallel: 2 }) })
    const client = stage.anthropic()
    const ask = () =>
      client.messages.create({
        ...CLAUDE,
        tools: TOOLS,
        tool_choice: { type: 'tool', name: 'look' },
        messages: [{ role: 'user', content: 'go' }],
      })
    expect((await ask()).content.filter(({ type }) => type === 'tool_use')).toHaveLength(1)
    const closing = await ask()
    expect(closing.content.filter(({ type }) => type === 'tool_use')).toHaveLength(1)
    const sent = JSON.parse(stage.provider.requests[1]!.body.toString())
    expect(sent.tool_choice).toEqual({ type: 'tool', name: 'look' })
    expect(JSON.stringify(sent.messages)).toContain('You have reached')
    await expect(ask()).rejects.toMatchObject({ status: 402 })
    await stage.settle()
    expect((await stage.run.usage()).toolCalls.settled).toBe(1)
  })

  it('E5, E6: forbidden tool calls of a model, in calls or in markup, are removed', async () => {
    for (const isStream of [true, false]) {
      let calls = 0
      const stage = await startStage({
        limits: { toolCalls: 1 },
        script: () => {
          const call = { name: 'look', arguments: { step: ++calls } }
          return calls === 1 ? { toolCalls: [call] } : { text: 'The end.', toolCalls: [call], disobeys: true }
        },
      })
      expect(await runAgent(stage, 'anthropic-messages', { isStream })).toMatchObject({ toolRuns: 1, text: 'The end.' })
    }
  })

  it('E5: the closing call is made to fit: the oldest results are removed first', async () => {
    const stage = await startStage({ limits: { tokens: 20_000 }, script: loopForEver() })
    // The second result is far longer than the first gave reason to expect.
    const result = (call: number): string => `${call} `.repeat(call === 1 ? 2_000 : 40_000)
    const run = await runAgent(stage, 'anthropic-messages', { result })
    expect(run).toMatchObject({ error: null, text: 'This is how far I came.' })
    await stage.settle()
    const { tokens } = await stage.run.usage()
    expect(tokens.settled).toBeLessThanOrEqual(20_000)
    const last = stage.provider.requests.at(-1)!.body.toString()
    expect(last).not.toContain('1 1 1 1')
    expect(last).toContain('left out')
  })

  it('warn: never refuses, never cuts, and says so in the hint', async () => {
    const stage = await startStage({
      limits: { toolCalls: { max: 2, action: 'warn' } },
      script: loopForEver({ parallel: 2 }),
    })
    const run = await runAgent(stage, 'anthropic-messages', { mostRounds: 4 })
    expect(run.toolRuns).toBe(8)
    expect(stage.provider.requests[2]!.body.toString()).toContain('over the plan')
  })
})
