import { describe, expect, it } from 'vitest'
import { createManualClock } from '../testing/manual-clock.ts'
import { createScriptedModel } from './scripted-model.ts'
import type { ScriptedMessage, ScriptedRequest, ScriptedTurn } from './scripted-types.ts'

const user = (content: string): ScriptedMessage => ({ role: 'user', content })
const ask = (more: Partial<ScriptedRequest> = {}): ScriptedRequest => ({ messages: [user('hello')], ...more })
const tools = [{ name: 'read' }]
const readCall = { id: 'call-9', name: 'read', arguments: { file: 'a.txt' } }
const withToolCall: ScriptedMessage = { role: 'assistant', content: '', toolCalls: [readCall] }
const toolResult: ScriptedMessage = { role: 'tool', toolCallId: 'call-9', content: 'text of a' }
const modelOf = (...turns: ScriptedTurn[]) => createScriptedModel(turns)

describe('createScriptedModel', () => {
  it('answers turn by turn and counts one token for every four characters', async () => {
    const model = modelOf({ text: 'hi there' }, { text: 'working', toolCalls: [{ name: 'read', arguments: {} }] })
    expect(await model.call(ask())).toEqual({
      text: 'hi there',
      toolCalls: [],
      usage: expect.objectContaining({ inputTokens: 2, outputTokens: 2, cacheReadTokens: 0, reasoningTokens: 0 }),
      stop: 'end',
      webSearches: 0,
      breaksOff: false,
    })
    expect(await model.call(ask({ tools }))).toMatchObject({
      text: 'working',
      toolCalls: [{ id: 'call-1', name: 'read', arguments: {} }],
      usage: { inputTokens: 2 + 5, outputTokens: 2 + 2 },
      stop: 'tool-calls',
    })
  })

  it('searches as often as it may, and rereads its prompt with the results after each search', async () => {
    const searching = { text: 'found', webSearches: 5, searchTokens: 100 }
    const model = modelOf(searching, searching, searching)
    const prompt = { tools, messages: [user('x'.repeat(400))] }
    expect(await model.call(ask({ ...prompt, maxWebSearches: 2 }))).toMatchObject({
      webSearches: 2,
      usage: { inputTokens: 3 * 105 + 100 + 200 },
    })
    for (const more of [{}, { maxWebSearches: 2, toolChoice: 'none' as const }]) {
      expect(await model.call(ask({ ...prompt, ...more }))).toMatchObject({
        webSearches: 0,
        usage: { inputTokens: 105 },
      })
    }
  })

  it('breaks off: half of the text arrives and nothing else, and all of it is billed', async () => {
    const model = modelOf({ text: 'hi there', toolCalls: [readCall], breaksOff: true })
    expect(await model.call(ask({ tools }))).toMatchObject({
      text: 'hi t',
      toolCalls: [],
      usage: null,
      breaksOff: true,
    })
    expect(model.book[0]).toMatchObject({ outcome: 'broken-off', billed: { outputTokens: 2 + 5 } })
  })

  it('answers without its tools only if the script says so', async () => {
    const messages = [user('hello'), withToolCall, toolResult]
    const model = modelOf({ text: 'so' }, { text: 'so', answersWithoutTools: true })
    expect((await model.call(ask({ messages }))).text).toBe('')
    expect((await model.call(ask({ messages }))).text).toBe('so')
  })

  it('counts a file by its kind, whatever is in it', async () => {
    const messages = [{ role: 'user' as const, content: 'look', files: [{ mediaType: 'image/png' }] }]
    expect((await modelOf({}).call(ask({ messages }))).usage).toMatchObject({ inputTokens: 1_501 })
  })

  it('throws when its script has ended', async () => {
    await expect(modelOf().call(ask())).rejects.toThrow('The script has ended: it has no turn for call 1.')
  })

  it('follows a generator that receives each request', async () => {
    const model = createScriptedModel(function* (request) {
      for (let turn = 1; turn <= 3; turn++) request = yield { text: `${turn}: ${request.messages.at(-1)?.content}` }
    })
    for (const word of ['one', 'two', 'three']) {
      expect((await model.call(ask({ messages: [user(word)] }))).text).toContain(`: ${word}`)
    }
    await expect(model.call(ask())).rejects.toThrow('no turn for call 4')
  })

  it('records every request as it was when it arrived', async () => {
    const model = modelOf({ text: 'one' }, { error: { status: 529, message: 'overloaded' } })
    const messages = [user('hello')]
    await model.call({ messages, maxOutputTokens: 50 })
    messages.push(user('later'))
    await expect(model.call({ messages })).rejects.toMatchObject({ status: 529, message: 'overloaded' })
    await expect(model.call({ messages: [] })).rejects.toMatchObject({ status: 400 })
    expect(model.book).toEqual([
      {
        request: { messages: [user('hello')], maxOutputTokens: 50 },
        outcome: 'answered',
        answer: expect.objectContaining({ text: 'one' }),
        billed: expect.objectContaining({ inputTokens: 2, outputTokens: 1 }),
      },
      expect.objectContaining({ outcome: 'failed', billed: expect.objectContaining({ inputTokens: 0 }) }),
      expect.objectContaining({ outcome: 'refused', billed: expect.objectContaining({ inputTokens: 0 }) }),
    ])
  })

  it('honours the output cap, in text and in tool calls', async () => {
    const long = { text: 'x'.repeat(100), toolCalls: [readCall] }
    const model = modelOf(long, long, long)
    expect(await model.call(ask({ tools, maxOutputTokens: 10 }))).toMatchObject({
      text: 'x'.repeat(40),
      toolCalls: [],
      usage: { outputTokens: 10 },
      stop: 'length',
    })
    expect(await model.call(ask({ tools, maxOutputTokens: 25 }))).toMatchObject({ toolCalls: [], stop: 'length' })
    expect(await model.call(ask({ tools }))).toMatchObject({ toolCalls: [readCall], stop: 'tool-calls' })
  })

  it('ignores the cap if the script says so', async () => {
    const answer = await modelOf({ text: 'x'.repeat(100), ignoreCap: true }).call(ask({ maxOutputTokens: 10 }))
    expect(answer).toMatchObject({ usage: { outputTokens: 25 }, stop: 'end' })
  })

  it('counts thinking toward the same cap, so that a small one leaves no answer', async () => {
    const model = modelOf({ text: 'answer', thinkingTokens: 9000 }, { text: 'x'.repeat(100), thinkingTokens: 1024 })
    const request = ask({ maxOutputTokens: 1026, thinking: { budgetTokens: 1024 } })
    expect(await model.call(request)).toMatchObject({
      text: 'answer',
      usage: { outputTokens: 1026, reasoningTokens: 1024 },
      stop: 'end',
    })
    expect(await model.call(request)).toMatchObject({ text: 'x'.repeat(8), stop: 'length' })
  })

  it.each<[string, ScriptedRequest]>([
    ['a thinking budget below 1024', ask({ thinking: { budgetTokens: 1023 }, maxOutputTokens: 4000 })],
    ['a thinking budget that is not below the cap', ask({ thinking: { budgetTokens: 4000 }, maxOutputTokens: 4000 })],
    ['a thinking budget of NaN', ask({ thinking: { budgetTokens: Number.NaN } })],
    ['a cap of 0', ask({ maxOutputTokens: 0 })],
    ['a cap above its own', ask({ maxOutputTokens: 32_001 })],
    ['no messages', ask({ messages: [] })],
    ['a tool choice without tools', ask({ toolChoice: 'none' })],
    ['a tool call without a result', ask({ tools, messages: [user('go'), withToolCall] })],
    ['a result that comes too late', ask({ tools, messages: [user('go'), withToolCall, user('and?'), toolResult] })],
    ['a result without a call', ask({ tools, messages: [user('go'), toolResult] })],
  ])('refuses %s with status 400, and charges nothing', async (_, request) => {
    const model = modelOf({ text: 'too kind' })
    await expect(model.call(request)).rejects.toMatchObject({ name: 'ScriptedModelError', status: 400 })
    expect(model.book[0]).toMatchObject({ outcome: 'refused', billed: { inputTokens: 0, outputTokens: 0 } })
    expect(await model.call(ask())).toMatchObject({ text: 'too kind' })
  })

  it('accepts a conversation whose tool calls all have results', async () => {
    const messages = [user('go'), withToolCall, toolResult]
    expect(await modelOf({ text: 'done' }).call(ask({ tools, messages }))).toMatchObject({ text: 'done' })
  })

  it('gives an empty answer if a conversation that used tools is sent without them', async () => {
    const messages = [user('go'), withToolCall, toolResult]
    expect(await modelOf({ text: 'done' }).call(ask({ messages }))).toMatchObject({ text: '', stop: 'end' })
  })

  it('calls no tool when it may not, but may write its calls into the text', async () => {
    const turn = { text: 'Closing. ', toolCalls: [readCall] }
    const model = modelOf(turn, { ...turn, strayMarkup: true }, turn)
    const closing = ask({ tools, toolChoice: 'none' })
    expect(await model.call(closing)).toMatchObject({ text: 'Closing. ', toolCalls: [], stop: 'end' })
    const stray = await model.call(closing)
    expect(stray.text).toBe('Closing. <tool_call>{"name":"read","arguments":{"file":"a.txt"}}</tool_call>')
    expect(stray.toolCalls).toEqual([])
    expect(await model.call(ask())).toMatchObject({ toolCalls: [] })
  })

  it('reports the scripted usage, and bills the actual one', async () => {
    const model = modelOf({ text: 'four', usage: null }, { text: 'four', usage: { outputTokens: 900 } })
    expect((await model.call(ask())).usage).toBe(null)
    expect((await model.call(ask())).usage).toMatchObject({ inputTokens: 2, outputTokens: 900 })
    expect(model.book.map(({ billed }) => billed.outputTokens)).toEqual([1, 1])
  })

  it('delays by its own clock', async () => {
    const clock = createManualClock()
    const model = createScriptedModel([{ text: 'slow', delayMs: 500 }], { clock })
    let text: string | null = null
    void model.call(ask()).then((answer) => {
      text = answer.text
    })
    await clock.advance(499)
    expect([text, model.book[0]!.outcome]).toEqual([null, 'running'])
    await clock.advance(1)
    expect([text, model.book[0]!.outcome]).toEqual(['slow', 'answered'])
  })

  it('can be aborted: free of charge before it starts, later for the price of the request', async () => {
    const clock = createManualClock()
    const model = createScriptedModel([{ text: 'slow', delayMs: 500 }, { text: 'next' }], { clock })
    const gone = new Error('budget spent')
    await expect(model.call(ask({ signal: AbortSignal.abort(gone) }))).rejects.toBe(gone)
    const controller = new AbortController()
    const call = model.call(ask({ signal: controller.signal }))
    const settled = expect(call).rejects.toBe(gone)
    await clock.advance(10)
    controller.abort(gone)
    await settled
    expect(clock.pendingTimers).toBe(0)
    expect(model.book.map(({ outcome, billed }) => [outcome, billed.inputTokens])).toEqual([
      ['aborted', 0],
      ['aborted', 2],
    ])
    expect((await model.call(ask())).text).toBe('next')
  })

  it('refuses an invalid output cap of its own', () => {
    expect(() => createScriptedModel([], { maxOutputTokens: 0 })).toThrow('maxOutputTokens is 0')
  })
})
