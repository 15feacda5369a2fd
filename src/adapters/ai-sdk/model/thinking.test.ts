import { createAnthropic } from '@ai-sdk/anthropic'
import { describe, expect, it } from 'vitest'
import { governedModel } from './governed-model.ts'
import type { CallOptions } from './language-model.ts'
import { ASK, answering, openScope } from './model.fixture.ts'

const CLAUDE = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5' }
const BEDROCK = { provider: 'amazon-bedrock', modelId: 'us.anthropic.claude-sonnet-4-5' }
const GEMINI = { provider: 'google.generative-ai', modelId: 'gemini-2.5-pro' }
const ENABLED = { type: 'enabled' }

/** What is reserved for a request of 1,000 tokens, and what is sent under a limit on output tokens. */
async function asked(names: object, options: object, outputTokens = 1_000_000) {
  const { scope } = await openScope({ limits: { outputTokens } })
  let reserved = 0
  const { model, sent } = answering()
  const watched = {
    ...model,
    ...names,
    async doGenerate(request: CallOptions) {
      reserved = (await scope.usage()).outputTokens.reserved
      return model.doGenerate(request)
    },
  }
  await governedModel(scope, watched).doGenerate({ ...ASK, maxOutputTokens: 1_000, ...options } as CallOptions)
  return { reserved, sent: sent[0]! }
}

const reservedFor = async (names: object, options: object) => (await asked(names, options)).reserved

describe('the thinking budget of a request', () => {
  it('is what Anthropic’s provider adds on the wire, even if the request names none', async () => {
    const { scope } = await openScope({ limits: { tokens: 4_000 } })
    const bodies: { readonly max_tokens: number; readonly thinking: unknown }[] = []
    const fetch = async (_: unknown, { body }: RequestInit = {}) => {
      bodies.push(JSON.parse(body as string))
      const content = [{ type: 'text', text: 'x' }]
      const usage = { input_tokens: 5, output_tokens: 5 }
      const answer = { type: 'message', id: '1', model: 'claude', role: 'assistant', stop_reason: 'end_turn' }
      return Response.json({ ...answer, content, usage })
    }
    const model = createAnthropic({ apiKey: 'placeholder', fetch })(CLAUDE.modelId)
    await governedModel(scope, model).doGenerate({ ...ASK, providerOptions: { anthropic: { thinking: ENABLED } } })
    expect(bodies[0]?.thinking).toEqual({ type: 'enabled', budget_tokens: 1_024 })
    expect(bodies[0]?.max_tokens).toBeGreaterThan(3_000)
    expect(bodies[0]?.max_tokens).toBeLessThan(4_000)
  })

  it('counts in addition to the cap at Anthropic and Bedrock, and within it at Google', async () => {
    const thinking = { ...ENABLED, budgetTokens: 2_000 }
    expect(await reservedFor(CLAUDE, { providerOptions: { anthropic: { thinking } } })).toBe(3_000)
    expect(await reservedFor(BEDROCK, { providerOptions: { bedrock: { reasoningConfig: thinking } } })).toBe(3_000)
    const thinkingConfig = { thinkingBudget: 500 }
    expect(await reservedFor(GEMINI, { providerOptions: { google: { thinkingConfig } } })).toBe(1_000)
    expect(
      await reservedFor({ ...CLAUDE, provider: 'my-anthropic' }, { providerOptions: { 'my-anthropic': { thinking } } }),
    ).toBe(3_000)
  })

  it('is null if thinking is off or left to the model', async () => {
    for (const type of ['disabled', 'adaptive']) {
      const thinking = { type, budgetTokens: 2_000 }
      expect(await reservedFor(CLAUDE, { providerOptions: { anthropic: { thinking } }, reasoning: 'high' })).toBe(1_000)
    }
    expect(await reservedFor(BEDROCK, { providerOptions: { bedrock: { reasoningConfig: ENABLED } } })).toBe(1_000)
    for (const thinkingBudget of [0, -1]) {
      const thinkingConfig = { thinkingBudget }
      expect(await reservedFor(GEMINI, { providerOptions: { google: { thinkingConfig } } })).toBe(1_000)
    }
  })

  it('is that of the model’s own provider, whatever other options there are', async () => {
    const providerOptions = {
      anthropic: { thinking: { ...ENABLED, budgetTokens: 16_000 } },
      bedrock: { reasoningConfig: { ...ENABLED, budgetTokens: 4_000 } },
      google: { thinkingConfig: { thinkingBudget: 16_000 } },
    }
    const { sent } = await asked(GEMINI, { providerOptions, maxOutputTokens: 20_000 }, 9_000)
    expect(sent.maxOutputTokens).toBe(9_000)
    expect(sent.providerOptions).toEqual({
      ...providerOptions,
      google: { thinkingConfig: { thinkingBudget: 8_000 } },
    })
    expect(await reservedFor(CLAUDE, { providerOptions })).toBe(17_000)
    expect(await reservedFor(BEDROCK, { providerOptions })).toBe(5_000)
  })

  it('is the maximum of a reasoning level in version 7 of the AI SDK, if it is added to the cap', async () => {
    expect(await reservedFor(CLAUDE, { reasoning: 'high' })).toBe(1_000 + 38_400)
    expect(await reservedFor(BEDROCK, { reasoning: 'minimal' })).toBe(1_000 + 1_280)
    expect(await reservedFor({ provider: 'gateway', modelId: 'anthropic/claude-opus-4' }, { reasoning: 'low' })).toBe(
      7_400,
    )
    for (const reasoning of ['none', 'provider-default', undefined]) {
      expect(await reservedFor(CLAUDE, { reasoning })).toBe(1_000)
    }
    expect(await reservedFor(GEMINI, { reasoning: 'high' })).toBe(1_000)
    expect(await reservedFor({ provider: 'amazon-bedrock', modelId: 'amazon.nova-2' }, { reasoning: 'high' })).toBe(
      1_000,
    )
  })

  it('a level whose maximum does not fit is sent as a budget that does', async () => {
    const { sent, reserved } = await asked(CLAUDE, { reasoning: 'high' }, 6_000)
    expect(sent.providerOptions).toEqual({ anthropic: { thinking: { type: 'enabled', budgetTokens: 4_800 } } })
    expect([reserved, sent.maxOutputTokens]).toEqual([6_000, 1_200])
    const bedrock = await asked(BEDROCK, { reasoning: 'high' }, 6_000)
    expect(bedrock.sent.providerOptions).toMatchObject({ bedrock: { reasoningConfig: { budgetTokens: 4_800 } } })
  })
})
