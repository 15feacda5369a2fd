import { describe, expect, it } from 'vitest'
import { createGate, type ProviderScript, type ProviderTurn } from '../../../src/testing/provider/index.ts'
import { runAgent, WIRES, type Wire } from './agents.ts'
import { type Stage, type StageOptions, startStage } from './stage.ts'

const FORMS = WIRES.flatMap((wire) => [true, false].map((isStream) => ({ wire, isStream })))
const REGULAR_END: Readonly<Record<Wire, string>> = {
  'anthropic-messages': 'end_turn',
  'openai-chat': 'stop',
  'openai-responses': 'completed',
}
const LONG = 'word '.repeat(2_000)

/** Calls a tool as long as it may; then says these one after the other. */
function closesWith(...closing: readonly ProviderTurn[]): ProviderScript {
  let said = 0
  return ({ mayCallTools, tools }) =>
    mayCallTools ? { toolCalls: [{ name: tools[0]!.name, arguments: {} }] } : closing[said++]!
}

/** A run whose second request is its closing call. Counts how often the closing call was announced. */
async function startClosing(script: ProviderScript, more: StageOptions = {}) {
  const announced: string[] = []
  const stage = await startStage({
    limits: { toolCalls: 1 },
    script,
    onEvent: ({ event }) => void (event === 'wrap_up_started' && announced.push(event)),
    ...more,
  })
  return { stage, announced }
}

async function expectBooked({ provider, run, settle }: Stage, calls: number): Promise<void> {
  await settle()
  const { cost, modelCalls } = await run.usage()
  expect(provider.requestCount).toBe(calls)
  expect(modelCalls.settled).toBe(calls)
  expect(cost.settled).toBe(provider.book().costNanoUsd)
}

describe('an answer that our cap has cut', () => {
  it.each(FORMS)(
    'is replaced by the closing answer before its client sees it: $wire, stream $isStream',
    async (form) => {
      const script: ProviderScript = ({ mayCallTools }) => ({ text: mayCallTools ? LONG : 'In short: done.' })
      const { stage, announced } = await startClosing(script, { limits: { outputTokens: 1_500 } })
      const run = await runAgent(stage, form.wire, { ...form, maxTokens: 8_000 })
      expect(run).toMatchObject({ text: 'In short: done.', stop: REGULAR_END[form.wire], error: null })
      expect(stage.calls).toMatchObject([{ isClosing: true, text: 'In short: done.' }])
      await expectBooked(stage, 2)
      expect(announced).toHaveLength(1)
      expect((await stage.run.usage()).outputTokens.overrun).toBe(0)
      await stage.run.close()
      expect(stage.run.status()).toBe('limit-reached')
    },
  )

  it('reaches its client unchanged if its own cap has cut it', async () => {
    const { stage } = await startClosing(() => ({ text: LONG }), { limits: { outputTokens: 20_000 } })
    const run = await runAgent(stage, 'anthropic-messages', { isStream: true, maxTokens: 1_000 })
    expect(run).toMatchObject({ stop: 'max_tokens', error: null })
    await expectBooked(stage, 1)
  })
})

describe('the closing answer at the gateway', () => {
  it.each(FORMS)('is requested again if the cap has cut it: $wire, stream $isStream', async (form) => {
    const { stage, announced } = await startClosing(closesWith({ text: LONG }, { text: 'In short: done.' }))
    const run = await runAgent(stage, form.wire, form)
    expect(run).toMatchObject({ text: 'In short: done.', stop: REGULAR_END[form.wire], error: null })
    expect(stage.calls.at(-1)).toMatchObject({ isClosing: true, text: 'In short: done.' })
    const again = stage.provider.requests[2]!.body.toString()
    expect(again).toMatch(/"max_(completion_|output_)?tokens":\s?256\b/)
    expect(again).toContain('at most 100 words')
    await expectBooked(stage, 3)
    expect(announced).toHaveLength(1)
  })

  it.each(FORMS)('is requested again if it is empty: $wire, stream $isStream', async (form) => {
    const { stage } = await startClosing(closesWith({ text: '' }, { text: 'Here it is.' }))
    expect(await runAgent(stage, form.wire, form)).toMatchObject({ text: 'Here it is.', stop: REGULAR_END[form.wire] })
    await expectBooked(stage, 3)
  })

  it.each([true, false])('is requested again if it only has thinking (stream: %s)', async (isStream) => {
    const { stage } = await startClosing(closesWith({ text: LONG, thinkingTokens: 9_999 }, { text: 'Thought.' }))
    const thinking = { maxTokens: 2_000, thinkingBudget: 1_999 }
    const run = await runAgent(stage, 'anthropic-messages', { isStream, ...thinking })
    expect(run).toMatchObject({ text: 'Thought.', stop: 'end_turn' })
    expect(JSON.parse(stage.provider.requests[2]!.body.toString())).toMatchObject({
      max_tokens: 1_280,
      thinking: { budget_tokens: 1_024 },
    })
    await expectBooked(stage, 3)
  })

  it.each(FORMS)(
    'ends normally and says that it was cut if the second one is cut too: $wire, stream $isStream',
    async (form) => {
      const { stage } = await startClosing(closesWith({ text: LONG }, { text: `other ${LONG}` }))
      const run = await runAgent(stage, form.wire, form)
      // The first may take the whole cap of the client, which is 1,000 tokens.
      const text = `${LONG.slice(0, 4_000).trimEnd()}\n\n[cut at the budget]`
      expect(run).toMatchObject({ text, stop: REGULAR_END[form.wire], error: null })
      expect(stage.calls.at(-1)!.text).toBe(text)
      await expectBooked(stage, 3)
    },
  )

  it.each(FORMS)(
    'is passed on with that line if there is no room for a second one: $wire, stream $isStream',
    async (form) => {
      const { stage } = await startClosing(closesWith({ text: LONG }), { limits: { modelCalls: 2 } })
      const run = await runAgent(stage, form.wire, form)
      expect(run.text).toBe(`${LONG.slice(0, 4_000).trimEnd()}\n\n[cut at the budget]`)
      expect(run.stop).toBe(REGULAR_END[form.wire])
      await expectBooked(stage, 2)
    },
  )

  it.each(FORMS)('says that it was cut if there is no text at all: $wire, stream $isStream', async (form) => {
    const { stage } = await startClosing(closesWith({ text: '' }), { limits: { modelCalls: 2 } })
    expect(await runAgent(stage, form.wire, form)).toMatchObject({
      text: '[cut at the budget]',
      stop: REGULAR_END[form.wire],
    })
  })

  it('is passed on if the provider refuses a second one, or breaks off', async () => {
    for (const fault of [{ kind: 'status', status: 529 }, { kind: 'cut' }, { kind: 'error-event' }] as const) {
      const { stage } = await startClosing(closesWith({ text: LONG }, { text: 'never', fault }))
      const run = await runAgent(stage, 'anthropic-messages', { isStream: true })
      expect(run).toMatchObject({ stop: 'end_turn', error: null })
      expect(run.text).toMatch(/^word .*\n\n\[cut at the budget\]$/)
    }
  })

  it.each([true, false])('includes the usage of the first one when it is rewritten (stream: %s)', async (stream) => {
    const { stage } = await startClosing(closesWith({ text: LONG }), { limits: { modelCalls: 2 } })
    const ask = {
      model: 'claude-haiku-5-5',
      max_tokens: 1_000,
      tools: [{ name: 'look', input_schema: { type: 'object' as const } }],
    }
    const messages = [{ role: 'user' as const, content: 'go' }]
    await stage.anthropic().messages.create({ ...ask, messages })
    const answer = stream
      ? await stage
          .anthropic()
          .messages.stream({ ...ask, messages })
          .finalMessage()
      : await stage.anthropic().messages.create({ ...ask, messages })
    const { inputTokens } = stage.provider.book().entries.at(-1)!.usage
    expect(answer.usage).toMatchObject({ input_tokens: inputTokens, output_tokens: 1_000 })
  })

  it.each([true, false])('keeps a requested format, cut or not (stream: %s)', async (stream) => {
    const { stage } = await startClosing(closesWith({ text: JSON.stringify({ all: LONG }) }))
    const ask = {
      model: 'gpt-4.1',
      max_completion_tokens: 500,
      messages: [{ role: 'user' as const, content: 'go' }],
      tools: [{ type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }],
    }
    const format = { type: 'json_schema' as const, json_schema: { name: 'answer', schema: { type: 'object' } } }
    await stage.openai().chat.completions.create(ask)
    const asked = { ...ask, response_format: format }
    const answer = await fetch(`${stage.openai().baseURL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer made-up' },
      body: JSON.stringify({ ...asked, stream }),
    })
    const text = await answer.text()
    expect(text).toMatch(/"finish_reason":\s?"length"/)
    expect(text).not.toContain('[cut at the budget]')
    await expectBooked(stage, 2)
  })

  it.each(WIRES)('is relayed as it arrives if it is very long, in the form of %s', async (wire) => {
    const { stage } = await startClosing(closesWith({ text: 'x'.repeat(90_000), ignoresCap: true }))
    expect(await runAgent(stage, wire, { isStream: true })).toMatchObject({ text: 'x'.repeat(90_000), error: null })
    expect(stage.provider.requestCount).toBe(2)
  })

  it.each(WIRES)('keeps a streaming client alive while it waits, in the form of %s', async (wire) => {
    const pieceGate = createGate()
    const { stage } = await startClosing(closesWith({ text: 'At last.', pieceGate }), { bounds: { pingMs: 5 } })
    let bytes = ''
    const seen: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      const [own, watched] = response.body!.tee()
      void (async () => {
        for await (const piece of watched.pipeThrough(new TextDecoderStream())) bytes += piece
      })()
      return new Response(own, response)
    }
    const clients = { anthropic: () => stage.anthropic({ fetch: seen }), openai: () => stage.openai({ fetch: seen }) }
    pieceGate.pass(2)
    const run = runAgent(clients, wire, { isStream: true })
    await expect.poll(() => bytes.match(/ping/g)?.length ?? 0).toBeGreaterThan(2)
    pieceGate.open()
    expect(await run).toMatchObject({ text: 'At last.', error: null })
  })
})
