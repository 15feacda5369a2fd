import { describe, expect, it } from 'vitest'
import type { Breach } from '../../../core/index.ts'
import { cacheMarkOf } from '../model/cache-mark-of.ts'
import { closingOptions } from '../model/closing-request.ts'
import type { CallOptions, Prompt, PromptMessage } from '../model/language-model.ts'
import { addPromptLine } from './add-prompt-line.ts'
import { closingPrompt } from './closing-prompt.ts'
import { promptDigests } from './prompt-digests.ts'
import { promptSize } from './prompt-size.ts'

const user = (text: string): PromptMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const MODEL = { provider: 'test', modelId: 'test-model' }
const BREACH = { meter: 'toolCalls', limit: 3, per: null, action: 'terminate' } as Breach

describe('the size of a prompt', () => {
  const sizeOf = (part: object) => promptSize([{ role: 'user', content: [part as never] }])

  it('counts pictures by their number, not by their bytes', () => {
    const data = new Uint8Array(5_000_000)
    expect(sizeOf({ type: 'file', mediaType: 'image/png', data })).toMatchObject({ images: 1, text: '\n' })
    expect(sizeOf({ type: 'file', mediaType: 'image', data: { type: 'data', data } })).toMatchObject({ images: 1 })
  })

  it('counts documents by pages, and one of which only the address is known as a long one', () => {
    const pdf = { type: 'file', mediaType: 'application/pdf' }
    expect(sizeOf({ ...pdf, data: new Uint8Array(120_000) }).documentPages).toBe(3)
    expect(sizeOf({ ...pdf, data: 'A'.repeat(40) }).documentPages).toBe(1)
    expect(sizeOf({ ...pdf, data: new URL('https://example.com/a.pdf') }).documentPages).toBe(100)
    expect(sizeOf({ ...pdf, data: { type: 'url', url: new URL('https://example.com/a.pdf') } }).documentPages).toBe(100)
    expect(sizeOf({ type: 'file-id', fileId: 'file-1' }).documentPages).toBe(100)
    expect(sizeOf({ type: 'image-file-id', fileId: 'file-1' }).images).toBe(1)
  })

  it('says that it does not know the size of text, sound and film of which only the address is known', () => {
    const named = (mediaType: string) => ({ type: 'file', mediaType, data: new URL('https://example.com/a') })
    for (const mediaType of ['text/plain', 'audio/mp3', 'video/mp4']) {
      expect(sizeOf(named(mediaType))).toMatchObject({ hasUnknownSize: true, otherTokens: 0 })
      expect(sizeOf({ ...named(mediaType), data: new Uint8Array(128) }).hasUnknownSize).toBe(false)
    }
    const result = { type: 'content', value: [{ type: 'file-url', mediaType: 'video/mp4', url: 'https://a.b/c' }] }
    expect(sizeOf({ type: 'tool-result', toolName: 'film', output: result }).hasUnknownSize).toBe(true)
    expect(sizeOf(named('image/png')).hasUnknownSize).toBe(false)
  })

  it('reads texts wherever they stand: calls, results of every kind, files', () => {
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'read', input: { path: 'a' } }
    const result = (output: object) => ({ type: 'tool-result', toolCallId: '1', toolName: 'read', output })
    const content = [
      { type: 'text', text: 'seen' },
      { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
    ]
    expect(sizeOf(call).text).toBe('\nread {"path":"a"}')
    expect(sizeOf(result({ type: 'json', value: { lines: 3 } })).text).toBe('\nread {"lines":3}')
    expect(sizeOf(result({ type: 'content', value: content }))).toMatchObject({ text: '\nread seen ', images: 1 })
    const inline = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'inline' } }
    expect(sizeOf(inline).text).toBe('\ninline')
    expect(sizeOf({ type: 'file', mediaType: 'audio/mp3', data: new Uint8Array(1_280) }).otherTokens).toBe(10)
  })
})

describe('digests', () => {
  it('are the same for prompts that begin alike, and differ by model, tools, text and bytes', () => {
    const digest = (options: CallOptions, modelId = 'm') => promptDigests(modelId, options, new Set([1])).get(1)
    const prompt = [user('a'), user('b')]
    const file = (byte: number): Prompt => [
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array([byte]) }] },
    ]
    expect(digest({ prompt })).toBe(digest({ prompt: [user('a'), user('c')] }))
    const tools = [{ type: 'function' as const, name: 'read', inputSchema: {} }]
    const others = [digest({ prompt }, 'n'), digest({ prompt, tools }), digest({ prompt: [user('x')] })]
    expect(
      new Set([digest({ prompt }), ...others, digest({ prompt: file(1) }), digest({ prompt: file(2) })]).size,
    ).toBe(6)
  })
})

describe('the prompt line', () => {
  it('stands behind the system message, or beside one that has a cache mark, or alone', () => {
    const system = { role: 'system' as const, content: 'Be.' }
    expect(addPromptLine([system, user('a')], 'LINE')[0]).toEqual({ role: 'system', content: 'Be.\n\nLINE' })
    const marked = { ...system, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
    expect(addPromptLine([marked, user('a')], 'LINE').slice(0, 2)).toEqual([
      marked,
      { role: 'system', content: 'LINE' },
    ])
    expect(addPromptLine([user('a')], 'LINE')[0]).toEqual({ role: 'system', content: 'LINE' })
    expect(addPromptLine([system, user('a')], '')).toEqual([system, user('a')])
    expect(addPromptLine([{ ...system, content: 'A {budget} B' }], '')).toEqual([{ ...system, content: 'A  B' }])
  })
})

describe('cache marks', () => {
  const prompt = [user('a')]
  const mark = (ttl?: string) => ({ anthropic: { cacheControl: { type: 'ephemeral', ...(ttl ? { ttl } : {}) } } })

  it('are found on messages, parts and tools; the longest counts', () => {
    expect(cacheMarkOf({ prompt })).toBe('none')
    expect(cacheMarkOf({ prompt: [{ role: 'system', content: 'Be.', providerOptions: mark() }] })).toBe('5m')
    const part = { type: 'text' as const, text: 'a', providerOptions: mark() }
    expect(cacheMarkOf({ prompt: [{ role: 'user', content: [part] }] })).toBe('5m')
    const tools = [{ type: 'function' as const, name: 'read', inputSchema: {}, providerOptions: mark('1h') }]
    expect(cacheMarkOf({ prompt: [{ role: 'user', content: [part] }], tools })).toBe('1h')
  })
})

describe('the closing prompt', () => {
  it('answers tool calls that have no result, and says what is wanted', () => {
    const call = (toolCallId: string) => ({ type: 'tool-call' as const, toolCallId, toolName: 'read', input: {} })
    const output = { type: 'text' as const, value: 'ok' }
    const prompt = closingPrompt(
      [
        user('go'),
        { role: 'assistant', content: [call('1'), call('2')] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'read', output }] },
      ],
      BREACH,
    )
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
    expect(prompt[2]).toMatchObject({ content: [{ toolCallId: '2', output: { type: 'error-text' } }] })
    expect(closingPrompt([user('go')], BREACH)).toMatchObject([{ content: [{ text: 'go' }, { type: 'text' }] }])
  })

  it('is sent with the least of thinking, and without a tool choice where there are no tools', () => {
    const thinking = { type: 'enabled', budgetTokens: 30_000 }
    const asked = { prompt: [user('go')], maxOutputTokens: 1, providerOptions: { anthropic: { thinking } } }
    expect(closingOptions(MODEL, asked, BREACH)).toMatchObject({
      maxOutputTokens: 4_096,
      providerOptions: { anthropic: { thinking: { budgetTokens: 1_024 } } },
    })
    expect(closingOptions(MODEL, asked, BREACH).toolChoice).toBe(undefined)
    const google = { google: { thinkingConfig: { thinkingBudget: 8_000 } } }
    const inside = closingOptions(MODEL, { ...asked, maxOutputTokens: 10_000, providerOptions: google }, BREACH)
    expect(inside).toMatchObject({
      maxOutputTokens: 5_120,
      providerOptions: { google: { thinkingConfig: { thinkingBudget: 1_024 } } },
    })
  })
})
