import { describe, expect, it } from 'vitest'
import { governedModel } from '../model/governed-model.ts'
import type { AnswerPart, GenerateResult, Prompt, PromptMessage } from '../model/language-model.ts'
import { ASK, answering, FINISH, fedStream, modelOf, openScope, readAll } from '../model/model.fixture.ts'

const user = (text: string): PromptMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const assistant = (...content: object[]): PromptMessage => ({ role: 'assistant', content: content as never })
const text = (words: string) => ({ type: 'text', text: words })
const LONG = 'word '.repeat(20_000)
const usage: GenerateResult['usage'] = {
  inputTokens: { total: 40_000, noCache: 40_000, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2_000, text: 2_000, reasoning: 0 },
}

/** The estimate of the next prompt after the model answered the first one with `content`. */
async function estimated(content: readonly object[], next: Prompt): Promise<number> {
  const { scope } = await openScope({ limits: { tokens: 10_000_000 } })
  let reserved = 0
  const { model } = modelOf({
    async doGenerate() {
      reserved = (await scope.usage()).tokens.reserved
      return { ...(await answering().model.doGenerate(ASK)), content: content as AnswerPart[], usage }
    },
  })
  const governed = governedModel(scope, model)
  await governed.doGenerate({ prompt: [user('go')], maxOutputTokens: 10 })
  await governed.doGenerate({ prompt: [user('go'), ...next], maxOutputTokens: 10 })
  return reserved
}

describe('the estimate of the next prompt', () => {
  it('uses the counted size of the model’s answer', async () => {
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'read' }
    const answer = [
      { type: 'reasoning', text: 'hm' },
      text('Read'),
      text('ing.'),
      { type: 'source', id: '1', sourceType: 'url', url: 'https://example.com' },
      { ...call, input: '{ "path": "a" }' },
      { ...call, toolCallId: '2', input: 'no json' },
    ]
    const sent = assistant(
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
      text('Reading.'),
      { ...call, input: { path: 'a' } },
      { ...call, toolCallId: '2', input: 'no json' },
    )
    const tokens = await estimated(answer, [sent, user('more')])
    expect(tokens).toBeGreaterThan(42_000)
    expect(tokens).toBeLessThan(42_100)
  })

  it('ignores the count of a prompt that the provider reread for its own tools', async () => {
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'read', providerExecuted: true, input: '{}' }
    const result = { type: 'tool-result', toolCallId: '1', toolName: 'read' }
    const sent = assistant({ ...call, input: {} }, { ...result, output: { type: 'json', value: { found: 'it' } } })
    expect(await estimated([call, { ...result, result: { found: 'it' } }], [sent, user('more')])).toBeLessThan(1_000)
  })

  it.each([
    ['a text', assistant(text(LONG))],
    ['a text behind the answer’s', assistant(text('done'), text(LONG))],
    ['a thought', assistant(text('done'), { type: 'reasoning', text: LONG })],
    [
      'a call',
      assistant(text('done'), { type: 'tool-call', toolCallId: '1', toolName: 'read', input: { path: LONG } }),
    ],
    ['a file', assistant(text('done'), { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: LONG } })],
  ])('counts %s that the model did not write', async (_, message) => {
    expect(await estimated([text('done')], [message, user('more')])).toBeGreaterThan(40_000 + 20_000)
  })

  it('does not count an answer that was left out', async () => {
    const tokens = await estimated([text('done')], [user('more')])
    expect(tokens).toBeGreaterThan(40_000)
    expect(tokens).toBeLessThan(40_100)
  })

  it('recognizes a streamed answer', async () => {
    const { scope } = await openScope({ limits: { tokens: 10_000_000 } })
    const source = fedStream()
    const { model } = modelOf({ doStream: async () => ({ stream: source.stream }) })
    const { stream } = await governedModel(scope, model).doStream({ prompt: [user('go')], maxOutputTokens: 10 })
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'read' } as const
    source.controller.enqueue({ type: 'text-start', id: '1' })
    for (const delta of ['Read', 'ing.']) source.controller.enqueue({ type: 'text-delta', id: '1', delta })
    source.controller.enqueue({ ...call, input: '{"path":"a"}' })
    source.controller.enqueue({ ...(FINISH as Extract<typeof FINISH, { type: 'finish' }>), usage })
    source.controller.close()
    await readAll(stream)
    let reserved = 0
    const next = modelOf({
      async doGenerate() {
        reserved = (await scope.usage()).tokens.reserved
        return answering().model.doGenerate(ASK)
      },
    })
    const answer = assistant(text('Reading.'), { ...call, input: { path: 'a' } })
    await governedModel(scope, next.model).doGenerate({
      prompt: [user('go'), answer, user('more')],
      maxOutputTokens: 10,
    })
    expect(reserved).toBeGreaterThan(42_000)
    expect(reserved).toBeLessThan(42_100)
  })

  it('is the whole context window for a video given by URL, which may be that long', async () => {
    const { scope } = await openScope({ limits: { tokens: 5_000 } })
    const { model, sent } = answering()
    const film = { type: 'file', mediaType: 'video/mp4', data: new URL('https://example.com/a.mp4') } as const
    const prompt: Prompt = [{ role: 'user', content: [film] }]
    await expect(governedModel(scope, model).doGenerate({ prompt })).rejects.toMatchObject({ code: 'limit_exceeded' })
    expect(sent).toHaveLength(0)
  })
})
