import { describe, expect, it } from 'vitest'
import { cacheMarkOf } from '../model/cache-mark-of.ts'
import { editRequest } from '../model/edit-request.ts'
import type { CallOptions, Prompt, PromptMessage } from '../model/language-model.ts'
import { modelRequest } from '../model/model-request.ts'
import { addPromptLine } from './add-prompt-line.ts'
import { closingPrompt } from './closing-prompt.ts'
import { promptSize } from './prompt-size.ts'

const user = (text: string): PromptMessage => ({ role: 'user', content: [{ type: 'text', text }] })
const MODEL = { provider: 'test', modelId: 'test-model' }
const CLOSING = { text: 'Say what you have.', notRun: 'not run' }

describe('the size of a prompt', () => {
  const sizeOf = (part: object) => promptSize({ role: 'user', content: [part as never] })

  const filesOf = (part: object) => sizeOf(part).files

  it('lists files separately from text: their kind, and their bytes if available', () => {
    const data = new Uint8Array(5_000)
    const file = (mediaType: string, content: unknown = data) => ({ type: 'file', mediaType, data: content })
    expect(sizeOf(file('image/png'))).toMatchObject({ text: '\n', files: [{ kind: 'image', bytes: 5_000 }] })
    expect(filesOf(file('image', { type: 'data', data }))).toMatchObject([{ kind: 'image', bytes: 5_000 }])
    expect(filesOf(file('application/pdf', 'A'.repeat(40)))).toMatchObject([{ kind: 'document', bytes: 30 }])
    expect(filesOf(file('application/pdf', 'data:application/pdf;base64,AAAA'))).toMatchObject([{ bytes: 3 }])
    expect(filesOf(file('audio/wav'))).toMatchObject([{ kind: 'audio', bytes: 5_000 }])
    expect(filesOf(file('video/mp4'))).toMatchObject([{ kind: 'video', bytes: 5_000 }])
    expect(filesOf(file('text/plain'))).toMatchObject([{ kind: 'text', bytes: 5_000 }])
  })

  it('reads the bytes of a file, however it is given', () => {
    const bytes = Uint8Array.of(0, 37, 80, 68, 70, 255)
    const within = new Uint8Array([9, ...bytes, 9]).subarray(1, 7)
    const base64 = Buffer.from(bytes).toString('base64')
    for (const data of [
      bytes,
      within,
      base64,
      `data:application/pdf;base64,${base64}`,
      { type: 'data', data: bytes },
    ]) {
      const [file] = filesOf({ type: 'file', mediaType: 'application/pdf', data })
      expect(file!.read!()).toBe('\0%PDF\xff')
    }
  })

  it('reports an unknown size for files given only by URL or id', () => {
    const url = new URL('https://example.com/a')
    for (const data of [url, url.href, { type: 'url', url }, undefined]) {
      for (const mediaType of ['text/plain', 'audio/mp3', 'video/mp4', 'application/pdf', 'image/png']) {
        expect(filesOf({ type: 'file', mediaType, data })).toMatchObject([{ bytes: null }])
      }
    }
    expect(filesOf({ type: 'file-id', fileId: 'file-1' })).toEqual([{ kind: 'document', bytes: null }])
    expect(filesOf({ type: 'image-file-id', fileId: 'file-1' })).toEqual([{ kind: 'image', bytes: null }])
    const result = { type: 'content', value: [{ type: 'file-url', mediaType: 'video/mp4', url: 'https://a.b/c' }] }
    expect(filesOf({ type: 'tool-result', toolName: 'film', output: result })).toEqual([{ kind: 'video', bytes: null }])
  })

  it('reads texts wherever they are: calls, results of every kind, files', () => {
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'read', input: { path: 'a' } }
    const result = (output: object) => ({ type: 'tool-result', toolCallId: '1', toolName: 'read', output })
    const content = [
      { type: 'text', text: 'seen' },
      { type: 'image-data', data: 'AAAA', mediaType: 'image/png' },
    ]
    expect(sizeOf(call).text).toBe('\nread {"path":"a"}')
    expect(sizeOf(result({ type: 'json', value: { lines: 3 } })).text).toBe('\nread {"lines":3}')
    expect(sizeOf(result({ type: 'content', value: content }))).toMatchObject({
      text: '\nread seen ',
      files: [{ kind: 'image' }],
    })
    const inline = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'inline' } }
    expect(sizeOf(inline).text).toBe('\ninline')
  })
})

describe('digests', () => {
  it('are the same for prompts that start alike, and differ by tools, text and bytes', () => {
    const digest = (options: CallOptions) => {
      const { parts } = modelRequest(MODEL, options).prompt()
      return parts
        .slice(0, -1)
        .map((part) => part.digest)
        .join()
    }
    const end = user('end')
    const prompt = [user('a'), user('b')]
    const file = (byte: number): Prompt => [
      { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array([byte]) }] },
    ]
    expect(digest({ prompt })).toBe(digest({ prompt: [user('a'), user('c')] }))
    const tools = [{ type: 'function' as const, name: 'read', inputSchema: {} }]
    const others = [
      { prompt, tools },
      { prompt: [user('x'), end] },
      ...[1, 2].map((byte) => ({ prompt: [...file(byte), end] })),
    ]
    expect(new Set([{ prompt }, ...others].map(digest)).size).toBe(5)
  })
})

describe('the prompt line', () => {
  it('goes at the end of the system message, or into a separate one if that has a cache mark or there is none', () => {
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
  it('answers tool calls without a result, and gives the instruction', () => {
    const call = (toolCallId: string) => ({ type: 'tool-call' as const, toolCallId, toolName: 'read', input: {} })
    const output = { type: 'text' as const, value: 'ok' }
    const prompt = closingPrompt(
      [
        user('go'),
        { role: 'assistant', content: [call('1'), call('2')] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'read', output }] },
      ],
      CLOSING,
    )
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
    expect(prompt[2]).toMatchObject({ content: [{ toolCallId: '2', output: { type: 'error-text' } }] })
    expect(closingPrompt([user('go')], CLOSING)).toMatchObject([{ content: [{ text: 'go' }, { type: 'text' }] }])
  })

  it('is sent with minimal thinking, and without a tool choice if there are no tools', () => {
    const thinking = { type: 'enabled', budgetTokens: 30_000 }
    const asked = { prompt: [user('go')], maxOutputTokens: 1, providerOptions: { anthropic: { thinking } } }
    const closed = (options: CallOptions, maxOutputTokens: number) =>
      editRequest(modelRequest(MODEL, options), { closing: CLOSING, maxOutputTokens, thinkingBudget: 1_024 })
    expect(closed(asked, 5_120)).toMatchObject({
      maxOutputTokens: 4_096,
      providerOptions: { anthropic: { thinking: { budgetTokens: 1_024 } } },
    })
    expect(closed(asked, 5_120).toolChoice).toBe(undefined)
    const google = { google: { thinkingConfig: { thinkingBudget: 8_000 } } }
    expect(closed({ ...asked, maxOutputTokens: 10_000, providerOptions: google }, 5_120)).toMatchObject({
      maxOutputTokens: 5_120,
      providerOptions: { google: { thinkingConfig: { thinkingBudget: 1_024 } } },
    })
  })
})
