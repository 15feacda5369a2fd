import { createServer } from 'node:net'
import { generateText, jsonSchema, type LanguageModel, ToolLoopAgent } from 'ai'
import { describe, expect, it } from 'vitest'
import { governed, runGoverned } from '../../adapters/ai-sdk/index.ts'
import { createGovernor } from '../../governor/index.ts'
import { loopForEver, type ProviderScript, sayOnce, toolThenText } from '../../testing/provider/index.ts'
import { type GovernedModelsOptions, governedModels, type ModelAttempt } from './index.ts'
import { sourceOf, startProvider } from './models.fixture.ts'
import { resolveModels } from './resolve-models.ts'

const KEYS = { ANTHROPIC_API_KEY: 'sk-a', OPENAI_API_KEY: 'sk-o' }
const read = { read: { inputSchema: jsonSchema<object>({ type: 'object' }), execute: async () => 'text' } }
const QUICK: GovernedModelsOptions = { retries: 1, firstDelayMs: 1 }
const status = (code: number): ProviderScript => [1, 2, 3].map(() => ({ fault: { kind: 'status', status: code } }))

/** Anthropic's models at one provider and OpenAI's at another, as an agent file would name them. */
async function stage(options: {
  readonly anthropic?: ProviderScript
  readonly anthropicUrl?: string
  readonly openai?: ProviderScript
  readonly limits?: object
}) {
  const anthropic = await startProvider({ script: options.anthropic ?? sayOnce('of Anthropic') })
  const openai = await startProvider({ script: options.openai ?? sayOnce('of OpenAI') })
  const ANTHROPIC_BASE_URL = options.anthropicUrl ?? anthropic.url
  const source = sourceOf({ env: { ...KEYS, ANTHROPIC_BASE_URL, OPENAI_BASE_URL: openai.openaiUrl } })
  const { models } = await resolveModels(source, 'anthropic/claude-haiku-4-5', ['openai/gpt-4.1'])
  const scope = await createGovernor().open({ name: 'run', limits: options.limits ?? { cost: 1 }, wrapUp: true })
  const attempts: ModelAttempt[] = []
  const onAttempt = (attempt: ModelAttempt) => attempts.push(attempt)
  const model = governedModels(scope, models, { ...QUICK, onAttempt }) as LanguageModel
  const told = () => attempts.map(({ model: name, status: became }) => `${name} ${became}`)
  return { anthropic, openai, scope, model, told, attempts }
}

/** An address that nothing listens on. */
async function deadAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe('governedModels', () => {
  it.each([529, 500, 429])('continues with the fallback if the provider answers %d', async (code) => {
    const { model, scope, anthropic, openai, told } = await stage({ anthropic: status(code) })
    expect((await generateText({ model, prompt: 'hello' })).text).toBe('of OpenAI')
    expect(told()).toEqual([
      'anthropic/claude-haiku-4-5 failed',
      'anthropic/claude-haiku-4-5 failed',
      'openai/gpt-4.1 answered',
    ])
    expect([anthropic.requestCount, openai.requestCount]).toEqual([2, 1])
    const { cost, modelCalls } = await scope.usage()
    // Only the answered call cost anything, at the price of the model that answered.
    expect([cost.settled, cost.reserved]).toEqual([Number(openai.book().costNanoUsd), 0])
    // A call that the provider refused doesn't count as a model call.
    expect(modelCalls).toMatchObject({ settled: 1, refused: 2 })
  })

  it('continues at once if nothing listens', async () => {
    const { model, told, attempts } = await stage({ anthropicUrl: await deadAddress() })
    expect((await generateText({ model, prompt: 'hello' })).text).toBe('of OpenAI')
    expect(told()).toEqual(['anthropic/claude-haiku-4-5 failed', 'openai/gpt-4.1 answered'])
    expect(attempts[0]!.error).toContain('Cannot connect')
  })

  it('passes a conversation with tools to the fallback, which continues it', async () => {
    const script: ProviderScript = ({ number }) =>
      number === 1 ? { toolCalls: [{ name: 'read', arguments: {} }] } : { fault: { kind: 'status', status: 529 } }
    const { model, scope, openai } = await stage({ anthropic: script, openai: toolThenText(1, { closing: 'Done.' }) })
    const agent = new ToolLoopAgent(governed(scope, { model, tools: read, maxRetries: 0 }) as never)
    const result = await runGoverned(scope, agent, 'go')
    expect(result).toMatchObject({ status: 'completed', output: 'Done.' })
    expect(openai.requestCount).toBeGreaterThan(0)
  })

  it('H5: a limit stop triggers no fallback, and ends with the closing answer of the same model', async () => {
    const { model, scope, anthropic, openai, told } = await stage({
      anthropic: loopForEver({ closing: 'What I have so far.' }),
      limits: { toolCalls: 3 },
    })
    const agent = new ToolLoopAgent(governed(scope, { model, tools: read, maxRetries: 0 }) as never)
    const result = await runGoverned(scope, agent, 'go')
    expect(result).toMatchObject({ status: 'limit-reached', partialOutput: 'What I have so far.' })
    expect(result.breach).toMatchObject({ meter: 'toolCalls', limit: 3 })
    expect([anthropic.requestCount, openai.requestCount]).toEqual([5, 0])
    expect(new Set(told())).toEqual(new Set(['anthropic/claude-haiku-4-5 answered']))
  })

  it('H5: a call that does not fit is not sent', async () => {
    const { model, scope, anthropic, openai, told } = await stage({ limits: { tokens: 10 } })
    const agent = new ToolLoopAgent(governed(scope, { model, maxRetries: 0 }) as never)
    expect(await runGoverned(scope, agent, 'hello there')).toMatchObject({ status: 'limit-reached' })
    expect([anthropic.requestCount, openai.requestCount, told()]).toEqual([0, 0, []])
  })

  it("sends the thinking setting in each model's own format", async () => {
    const { openai, anthropic } = await stage({})
    const source = sourceOf({
      env: { ...KEYS, ANTHROPIC_BASE_URL: anthropic.url, OPENAI_BASE_URL: openai.openaiUrl },
    })
    const { models } = await resolveModels(source, 'claude-haiku-4-5', ['gpt-5'])
    anthropic.play(status(500))
    const scope = await createGovernor().open({ name: 'run' })
    const model = governedModels(scope, models, { ...QUICK, retries: 0, thinking: 'low' }) as LanguageModel
    await generateText({ model, prompt: 'hello' })
    const bodies = [anthropic, openai].map(({ requests }) => JSON.parse(requests[0]!.body.toString()))
    expect(bodies[0].thinking).toEqual({ type: 'enabled', budget_tokens: 2_048 })
    expect(bodies[1].reasoning_effort).toBe('low')
  })
})

describe('resolveModels', () => {
  it('omits a fallback without a key, with a warning, and any model that is named twice', async () => {
    const source = sourceOf({ env: { ANTHROPIC_API_KEY: 'sk-a' } })
    const { models, warnings } = await resolveModels(source, 'haiku', ['gpt-5', 'claude-haiku-5-5', 'opus', 'opus'])
    expect(models.map(({ name }) => name)).toEqual(['anthropic/claude-haiku-5-5', 'anthropic/claude-opus-5-5'])
    expect(warnings).toEqual([expect.stringMatching(/^The fallback gpt-5 is skipped\. .*OPENAI_API_KEY is not set/)])
  })

  it('refuses an unknown fallback, and a model without a key', async () => {
    const source = sourceOf({ env: { ANTHROPIC_API_KEY: 'sk-a' } })
    await expect(resolveModels(source, 'haiku', ['sonet'])).rejects.toThrow('Did you mean "sonnet"?')
    await expect(resolveModels(source, 'gpt-5', ['haiku'])).rejects.toThrow('OPENAI_API_KEY is not set')
  })
})
