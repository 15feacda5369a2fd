import { describe, expect, it } from 'vitest'
import { chargeOf } from './counting/charge.ts'
import { NOTHING_USED } from './counting/counted-usage.ts'
import { USUAL_MODELS } from './counting/provider-model.ts'
import { createTokenRule } from './counting/token-rule.ts'
import { PLAIN, post, startProvider, startWith, WIRES } from './provider.fixture.ts'
import { emitWholeCap } from './scripts/emit-whole-cap.ts'

const SONNET = USUAL_MODELS['claude-sonnet-4-5']!.price
const CAPS = {
  'anthropic-messages': 'max_tokens',
  'openai-chat': 'max_completion_tokens',
  'openai-responses': 'max_output_tokens',
} as const
const TOOLS = {
  'anthropic-messages': { name: 'read', input_schema: { type: 'object' } },
  'openai-chat': { type: 'function', function: { name: 'read' } },
  'openai-responses': { type: 'function', name: 'read' },
} as const
const words = (tokens: number) => 'word'.repeat(tokens)
const block = (tokens: number, ttl?: '5m' | '1h', more = '') => ({
  type: 'text',
  text: words(tokens) + more,
  ...(ttl === undefined ? {} : { cache_control: { type: 'ephemeral', ttl } }),
})

describe('the token rule', () => {
  it('counts started tokens, in bytes', () => {
    const { tokensOf, within } = createTokenRule(4)
    expect(['', 'a', 'word', 'words', '十二'].map(tokensOf)).toEqual([0, 1, 1, 2, 2])
    expect(['words', 'aé十', '🎉🎉'].map((text) => within(text, 1))).toEqual(['word', 'aé', '🎉'])
  })

  it.each([0, 1.5, Number.NaN])('refuses %s bytes per token', (bytes) => {
    expect(() => createTokenRule(bytes)).toThrow('bytesPerToken')
  })
})

describe('the price', () => {
  it('rounds each class up to nano-USD, and keeps the exact sum', () => {
    const price = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, cacheWrite1h: 1, webSearchNanoUsd: 7 }
    const usage = {
      inputTokens: 1,
      outputTokens: 1_001,
      cacheReadTokens: 1,
      cacheWriteTokens: 1,
      cacheWrite1hTokens: 1,
      reasoningTokens: 900,
      webSearches: 2,
    }
    expect(chargeOf(price, usage)).toEqual({ picoUsd: 15_005n, nanoUsd: 1 + 2 + 1 + 1 + 1 + 14 })
  })

  it('is that of a long prompt only above its bound, cached tokens included', () => {
    const at = (cacheReadTokens: number) =>
      chargeOf(SONNET, { ...NOTHING_USED, inputTokens: 1, cacheReadTokens }).nanoUsd
    expect(at(199_999)).toBe(3_000 + 199_999 * 300)
    expect(at(200_000)).toBe(6_000 + 200_000 * 600)
  })

  it('is exact where floats are not', () => {
    const usage = { ...NOTHING_USED, outputTokens: Number.MAX_SAFE_INTEGER }
    expect(chargeOf(SONNET, usage).picoUsd).toBe(9_007_199_254_740_991n * 15_000_000n)
  })
})

describe('marked prompts (Anthropic)', () => {
  const ask = async (provider: Awaited<ReturnType<typeof startProvider>>, content: readonly unknown[]) => {
    const response = await post(provider, 'anthropic-messages', {
      ...PLAIN['anthropic-messages'],
      messages: [{ role: 'user', content }],
    })
    const { usage } = (await response.json()) as { readonly usage: Record<string, unknown> }
    return [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation]
  }
  const wrote = (short: number, long = 0) => ({ ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long })

  it('are written up to the last mark, then read, also when the mark moves on', async () => {
    const provider = await startProvider()
    expect(await ask(provider, [block(2_000, '5m'), block(10)])).toEqual([10, 0, wrote(2_000)])
    expect(await ask(provider, [block(2_000, '5m'), block(10)])).toEqual([10, 2_000, wrote(0)])
    expect(await ask(provider, [block(2_000), block(10), block(500, '5m'), block(1)])).toEqual([1, 2_000, wrote(510)])
    expect(await ask(provider, [block(2_000), block(10, '5m', 'x')])).toEqual([0, 2_000, wrote(11)])
    expect(await ask(provider, [block(2_001, '5m'), block(10)])).toEqual([10, 0, wrote(2_001)])
    provider.forgetPrompts()
    expect(await ask(provider, [block(2_000, '5m'), block(10)])).toEqual([10, 0, wrote(2_000)])
  })

  it('are counted by how long they are kept', async () => {
    const provider = await startProvider()
    expect(await ask(provider, [block(1_500, '1h'), block(700, '5m'), block(3)])).toEqual([3, 0, wrote(700, 1_500)])
    expect(provider.book().costNanoUsd).toBe(3 * 3_000 + 700 * 3_750 + 1_500 * 6_000 + 2 * 15_000)
  })

  it('are not cached if they are short, or caching is off', async () => {
    expect(await ask(await startProvider(), [block(1_023, '5m')])).toEqual([1_023, 0, wrote(0)])
    expect(await ask(await startProvider({ caching: false }), [block(2_000, '5m')])).toEqual([2_000, 0, wrote(0)])
  })
})

describe('the cache of a marked conversation (Anthropic)', () => {
  const SYSTEM = [block(2_000, '5m')]
  const tools = [{ name: 'read', input_schema: { type: 'object' } }]
  const thinking = (budget_tokens: number) => ({ thinking: { type: 'enabled', budget_tokens } })
  const base = { ...PLAIN['anthropic-messages'], max_tokens: 8_000, tools, system: SYSTEM, ...thinking(2_000) }
  const readAfter = async (more: object) => {
    const provider = await startProvider()
    const messages = [{ role: 'user', content: [block(3_000, '5m')] }]
    for (const change of [{}, more]) {
      await (await post(provider, 'anthropic-messages', { ...base, messages, ...change })).text()
    }
    return provider.book().entries[1]!.usage.cacheReadTokens
  }
  const TOOL_TOKENS = 12

  it('is read completely if only the cap changes', async () => {
    expect(await readAfter({})).toBe(TOOL_TOKENS + 5_000)
    expect(await readAfter({ max_tokens: 5_000 })).toBe(TOOL_TOKENS + 5_000)
    expect(await readAfter({ tool_choice: { type: 'auto' } })).toBe(TOOL_TOKENS + 5_000)
  })

  it('loses its messages if the thinking budget or the tool choice changes', async () => {
    expect(await readAfter(thinking(1_024))).toBe(TOOL_TOKENS + 2_000)
    expect(await readAfter({ thinking: { type: 'disabled' } })).toBe(TOOL_TOKENS + 2_000)
    expect(await readAfter({ tool_choice: { type: 'none' } })).toBe(TOOL_TOKENS + 2_000)
  })

  it('loses everything if the tools change', async () => {
    expect(await readAfter({ tools: [...tools, { name: 'write', input_schema: { type: 'object' } }] })).toBe(0)
  })
})

describe('automatically cached prompts (OpenAI)', () => {
  it('are read in steps of 128 tokens, up to where they differ', async () => {
    const provider = await startProvider()
    const ask = async (...texts: readonly string[]) => {
      const messages = texts.map((content) => ({ role: 'user', content }))
      await post(provider, 'openai-chat', { model: 'gpt-4.1', messages })
      const { inputTokens, cacheReadTokens } = provider.book().entries.at(-1)!.usage
      return [inputTokens, cacheReadTokens]
    }
    expect(await ask(words(2_000), 'one')).toEqual([2_001, 0])
    expect(await ask(words(2_000), 'two')).toEqual([81, 1_920])
    expect(await ask(words(2_000), 'two', words(500))).toEqual([581, 1_920])
    expect(await ask('x', words(2_000))).toEqual([2_001, 0])
    expect(await ask(words(1_000))).toEqual([1_000, 0])
  })

  it.each(['openai-chat', 'openai-responses'] as const)('begin with the tools: %s', async (wire) => {
    const provider = await startProvider()
    const tool = (name: string) =>
      wire === 'openai-chat' ? { type: 'function', function: { name } } : { type: 'function', name }
    const long = words(2_000)
    const prompt = wire === 'openai-chat' ? { messages: [{ role: 'user', content: long }] } : { input: long }
    const read = async (...names: readonly string[]) => {
      await (await post(provider, wire, { ...PLAIN[wire], ...prompt, tools: names.map(tool) })).text()
      return provider.book().entries.at(-1)!.usage.cacheReadTokens
    }
    expect(await read('read', 'write')).toBe(0)
    expect(await read('read', 'write')).toBe(1_920)
    expect(await read('read')).toBe(0)
  })

  it('begin with the tools, and then have the instructions', async () => {
    const provider = await startProvider()
    const tools = [{ type: 'function', name: 'read', description: words(1_500) }]
    for (const instructions of ['one', 'two']) {
      await (await post(provider, 'openai-responses', { ...PLAIN['openai-responses'], tools, instructions })).text()
    }
    expect(provider.book().entries[1]!.usage.cacheReadTokens).toBe(1_408)
  })
})

describe('the output cap', () => {
  it.each(WIRES)('is filled exactly, in %s', async (wire) => {
    const provider = await startProvider({ script: emitWholeCap(), bytesPerToken: 3 })
    for (const stream of [true, false])
      await (await post(provider, wire, { ...PLAIN[wire], [CAPS[wire]]: 777, stream })).text()
    expect(provider.book().entries.map(({ usage }) => usage.outputTokens)).toEqual([777, 777])
  })

  it.each(WIRES)('ends an answer that needs more, calls included, and is charged in full: %s', async (wire) => {
    const cut = { 'anthropic-messages': 'max_tokens', 'openai-chat': 'length', 'openai-responses': 'incomplete' }
    const provider = await startWith({ outputTokens: 900, toolCalls: [{ name: 'read', arguments: {} }] })
    const ask = async (cap: number, stream: boolean) => {
      const body = { ...PLAIN[wire], tools: [TOOLS[wire]], [CAPS[wire]]: cap, stream }
      return (await post(provider, wire, body)).text()
    }
    for (const stream of [true, false]) {
      expect(await ask(899, stream)).toContain(`"${cut[wire]}"`)
      expect(await ask(900, stream)).not.toContain(`"${cut[wire]}"`)
    }
    const entries = provider.book().entries.map(({ usage, toolCalls }) => [usage.outputTokens, toolCalls])
    expect(entries).toEqual([899, 900, 899, 900].map((tokens) => [tokens, tokens === 900 ? 1 : 0]))
  })

  it('covers the thinking and the answer together', async () => {
    const provider = await startWith({ thinkingTokens: 1_500, outputTokens: 400, text: 'So:' })
    const ask = async (max_tokens: number, budget_tokens: number) => {
      const thinking = { type: 'enabled', budget_tokens }
      await (
        await post(provider, 'anthropic-messages', { ...PLAIN['anthropic-messages'], max_tokens, thinking })
      ).text()
      const { outputTokens, reasoningTokens } = provider.book().entries.at(-1)!.usage
      return [reasoningTokens, outputTokens - reasoningTokens]
    }
    expect(await ask(3_000, 2_000)).toEqual([1_500, 400])
    expect(await ask(1_700, 1_600)).toEqual([1_500, 200])
    expect(await ask(1_300, 1_024)).toEqual([1_024, 276])
  })

  it('is ignored if the script says so', async () => {
    const provider = await startWith({ text: words(100), ignoresCap: true })
    await post(provider, 'anthropic-messages', { ...PLAIN['anthropic-messages'], max_tokens: 10 })
    expect(provider.book().usage.outputTokens).toBe(100)
  })

  it("is the model's own if the request has none", async () => {
    const provider = await startProvider({ script: emitWholeCap() })
    await post(provider, 'openai-chat', PLAIN['openai-chat'])
    expect(provider.book().usage.outputTokens).toBe(32_768)
  })
})

describe('a model with an unknown name', () => {
  it('is answered, and shown to have no price', async () => {
    const provider = await startProvider()
    await post(provider, 'openai-chat', { ...PLAIN['openai-chat'], model: 'nobody-knows' })
    expect(provider.book().entries[0]).toMatchObject({ outcome: 'answered', isPriced: false, costNanoUsd: 0 })
  })

  it('is not a dated version of a known one', async () => {
    const provider = await startProvider()
    await post(provider, 'anthropic-messages', { ...PLAIN['anthropic-messages'], model: 'claude-sonnet-4-5-20250929' })
    expect(provider.book().entries[0]).toMatchObject({ isPriced: true, costNanoUsd: 1 * 3_000 + 2 * 15_000 })
  })
})
