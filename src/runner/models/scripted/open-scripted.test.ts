import { generateText, jsonSchema, type LanguageModel, type ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { createPriceBook } from '../../../pricing/index.ts'
import { ask, folderWith, sourceOf } from '../models.fixture.ts'
import { SCRIPTED_PRICES } from './scripted-prices.ts'

const inFolder = (script: unknown) =>
  sourceOf({
    workingFolder: folderWith({ 'play.json': typeof script === 'string' ? script : JSON.stringify(script) }),
  })

describe('scripted/FILE.json', () => {
  it('needs no key, and plays the file turn by turn', async () => {
    const model = await inFolder([{ text: 'one' }, { text: 'two' }]).resolve('scripted/play.json')
    expect([model.name, await ask(model), await ask(model)]).toEqual(['scripted/play.json', 'one', 'two'])
    await expect(ask(model)).rejects.toThrow('The script has ended')
  })

  it('starts over if it repeats, and closes as scripted', async () => {
    const source = inFolder({ turns: [{ text: 'more' }], repeat: true, closing: 'bye' })
    const { model } = await source.resolve('scripted/play.json')
    const tools = { look: { inputSchema: jsonSchema<object>({ type: 'object' }) } }
    const say = async (toolChoice: 'auto' | 'none') =>
      (await generateText({ model: model as LanguageModel, prompt: 'go', tools, toolChoice })).text
    expect([await say('auto'), await say('auto'), await say('none'), await say('auto')]).toEqual([
      'more',
      'more',
      'bye',
      'more',
    ])
  })

  it('continues from the state of the conversation', async () => {
    const source = inFolder([
      { text: 'one' },
      { error: { status: 529, message: 'busy' } },
      { text: 'two' },
      { text: '3' },
    ])
    const { model } = await source.resolve('scripted/play.json')
    const messages: ModelMessage[] = ['one', 'two'].flatMap((content) => [
      { role: 'user', content: 'next' },
      { role: 'assistant', content },
    ])
    const asked = [...messages, { role: 'user' as const, content: 'next' }]
    expect((await generateText({ model: model as LanguageModel, messages: asked })).text).toBe('3')
  })

  it('has a made-up price, so that a cost limit works', () => {
    const price = createPriceBook({ overrides: SCRIPTED_PRICES }).find('scripted', { provider: 'scripted' })
    expect(price?.input.basePicoUsd).toBe(3_000_000)
  })

  it.each<[unknown, string]>([
    ['{', 'it is not valid JSON'],
    [[], 'turns'],
    [5, 'it is 5'],
    [[{ text: 5 }], 'turns[0].text is 5'],
    [[{ txet: 'x' }], 'turns[0] is'],
    [{ turns: [{ toolCalls: [{ name: '' }] }] }, 'turns[0].toolCalls[0].name is ""'],
    [[{ delayMs: -1 }], 'turns[0].delayMs is -1'],
    [[{ error: { status: 200, message: 'x' } }], 'turns[0].error.status is 200'],
    [{ turns: [{}], repat: true }, 'repat'],
  ])('%j is refused with its place', async (script, message) => {
    await expect(inFolder(script).resolve('scripted/play.json')).rejects.toMatchObject({
      code: 'invalid_script',
      message: expect.stringContaining(message),
    })
  })

  it('is reported as missing if its file does not exist', async () => {
    await expect(inFolder([]).resolve('scripted/other.json')).rejects.toThrow(
      /The script .+other.json cannot be played: there is no such file in the working folder\./,
    )
    await expect(inFolder([]).resolve('scripted/.')).rejects.toThrow('it is not a file')
  })
})
