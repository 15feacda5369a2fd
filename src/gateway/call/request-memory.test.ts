import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defusedResults } from '../../loop/hints/defused-results.ts'
import { estimatePrompt } from '../../loop/prompt/prompt-estimate.ts'
import { createTokenMarks } from '../../loop/prompt/token-marks.ts'
import type { RequestEdits } from '../../loop/request-view.ts'
import type { Dialect, WireRequest } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/dialects.ts'
import { freeEdited } from '../dialects/shared/request/edited-body.ts'
import { bodyOf, nextRequest, someRequest, someStep } from './request-memory.fixture.ts'
import { createRequestMemory } from './request-memory.ts'

const MEGABYTES = 1_000_000

/** How a request is read, or why it is refused. */
async function seen(read: () => WireRequest): Promise<unknown> {
  let request: WireRequest
  try {
    request = read()
  } catch (error) {
    return (error as Error).message
  }
  const { json, prompt: _, resultTexts, conversation, lookedThrough: __, edited: ___, fields: ____, ...all } = request
  const { leading: _____, ...view } = all
  const defused = await defusedResults(request)
  const { parts, variant } = request.prompt()
  return {
    ...view,
    root: json.root,
    value: json.value,
    results: conversation.results,
    texts: [resultTexts(), resultTexts(1)],
    defused: resultTexts().map((text) => defused.get(text)),
    parts: parts.map((part) => [part.kind, part.digest, part.bytes, part.media.length, part.text(), part.tools]),
    variant,
    estimate: await estimatePrompt(request, createTokenMarks(), { isLimited: true }),
  }
}

/** The request as it is sent, in several forms one after the other; the last one is answered. */
async function sent(
  dialect: Dialect,
  request: WireRequest,
  lasting: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const defused = await defusedResults(request)
  const hints = new Map(request.toolResults.map(({ key }, index) => [key, `[budget: ${index} of ${key}]`]))
  const fewer = new Map([...hints].filter((_, index) => index % 2 === 0))
  // As an agent sends its requests: the next one begins with the bytes of this one.
  const usual = { hints: lasting, defused, promptLine: 'You have 10 calls.', includeUsage: true, maxOutputTokens: 9 }
  const all: readonly RequestEdits[] = [
    usual,
    { hints, defused, promptLine: 'You have 10 calls.' },
    { hints: fewer, maxOutputTokens: 7 },
    { hints, defused, closing: { text: 'Close.', resultsLeftOut: 2 } },
    { hints, defused, promptLine: 'You have 10 calls.' },
    usual,
  ]
  const bodies = all.map((edits) => dialect.editRequest(request, edits))
  const texts = bodies.map((body) => body.toString())
  freeEdited(request, bodies.at(-1)!)
  return texts
}

describe.each(Object.values(DIALECTS))('a $name request that continues earlier ones', (dialect) => {
  it('is read, estimated and edited as if nothing was known before, whatever changed', async () => {
    const property = fc.asyncProperty(someRequest, fc.array(someStep, { maxLength: 8 }), async (first, steps) => {
      const memory = createRequestMemory(64 * MEGABYTES)
      const lasting = new Map<string, string>()
      let request = first
      memory.read(dialect, 'key', bodyOf(dialect.name, first))
      for (const step of steps) {
        request = nextRequest(request, step)
        const body = bodyOf(dialect.name, request, step)
        let known: WireRequest | null = null
        const withMemory = await seen(() => {
          known = memory.read(dialect, 'key', body)
          return known
        })
        const fromScratch = await seen(() => dialect.readRequest(body))
        // The comparison that shows the difference takes far longer.
        if (!isDeepStrictEqual(withMemory, fromScratch)) expect(withMemory).toEqual(fromScratch)
        if (known === null) continue
        const newest = (known as WireRequest).toolResults.at(-1)
        if (newest !== undefined) lasting.set(newest.key, `[budget: ${newest.key}]`)
        expect(await sent(dialect, known, lasting)).toEqual(await sent(dialect, dialect.readRequest(body), lasting))
      }
    })
    await fc.assert(property, { numRuns: 150 })
  })
})

describe('createRequestMemory', () => {
  const dialect = DIALECTS['openai-chat']
  const requestOf = (number: number, messages: number): Buffer => {
    const list = Array.from({ length: messages }, (_, index) => ({ role: 'user', content: `${number}: ${index}` }))
    return Buffer.from(JSON.stringify({ model: 'm', messages: list }))
  }
  const takenBy = (memory: ReturnType<typeof createRequestMemory>, body: Buffer, owner = 'key'): number =>
    memory.read(dialect, owner, body).conversation.taken

  it('reuses messages with the same bytes, but never those of another key', () => {
    const memory = createRequestMemory(MEGABYTES)
    expect(takenBy(memory, requestOf(1, 20))).toBe(0)
    expect(takenBy(memory, requestOf(1, 22), 'other key')).toBe(0)
    expect(takenBy(memory, requestOf(1, 22))).toBe(20)
    expect(takenBy(memory, requestOf(1, 18))).toBe(18)
    expect(takenBy(memory, requestOf(2, 24))).toBe(0)
  })

  it('two requests that continue the same one each have their own messages', async () => {
    const said = (...texts: readonly string[]): Buffer =>
      Buffer.from(JSON.stringify({ model: 'm', messages: texts.map((content) => ({ role: 'user', content })) }))
    const followedBy = (request: WireRequest, body: Buffer): WireRequest =>
      dialect.readRequest(body, { request, same: request.conversation.messages.length })
    const first = dialect.readRequest(said('task'))
    const [left, right] = [followedBy(first, said('task', 'left')), followedBy(first, said('task', 'to the right'))]
    const next = [
      followedBy(left, said('task', 'left', 'more')),
      followedBy(right, said('task', 'to the right', 'more')),
    ]
    expect(next.map((request) => request.prompt().parts.map((part) => part.text()))).toEqual([
      ['task', 'left', 'more'],
      ['task', 'to the right', 'more'],
    ])
  })

  it('a request that was answered gives its memory to one that continues it, and to no other', () => {
    const edits = { promptLine: 'You have 10 calls.' }
    const memory = createRequestMemory(MEGABYTES)
    const sentAs = (body: Buffer): { readonly request: WireRequest; readonly bytes: Buffer } => {
      const request = memory.read(dialect, 'key', body)
      return { request, bytes: dialect.editRequest(request, edits) }
    }
    const expected = (body: Buffer): string => dialect.editRequest(dialect.readRequest(body), edits).toString()
    sentAs(requestOf(1, 20))
    const [inFlight, answered] = [sentAs(requestOf(1, 21)), sentAs(requestOf(1, 22))]
    freeEdited(answered.request, answered.bytes)
    // Read before either is sent, so both begin with the one that was answered.
    const [left, right] = [requestOf(1, 23), requestOf(1, 24)]
    const both = [left, right].map((body) => memory.read(dialect, 'key', body))
    const [first, second] = both.map((request) => dialect.editRequest(request, edits))
    expect(first!.buffer).toBe(answered.bytes.buffer)
    expect(second!.buffer).not.toBe(first!.buffer)
    expect(inFlight.bytes.buffer).not.toBe(first!.buffer)
    expect([inFlight.bytes, first!, second!].map(String)).toEqual([requestOf(1, 21), left, right].map(expected))
  })

  it('remembers several conversations, and a side request does not replace one', () => {
    const memory = createRequestMemory(MEGABYTES)
    for (const number of [1, 2, 3]) takenBy(memory, requestOf(number, 100))
    const beside = requestOf(2, 20)
    expect(takenBy(memory, beside)).toBe(20)
    for (const number of [1, 2, 3]) expect(takenBy(memory, requestOf(number, 102))).toBe(100)
  })

  it('drops the oldest conversation if there is no room for all, and one that is too long immediately', () => {
    const { body, json } = dialect.readRequest(requestOf(1, 100))
    const memory = createRequestMemory(2.5 * (4 * body.length + 256 * json.root.values))
    for (const number of [1, 2, 3]) takenBy(memory, requestOf(number, 100))
    expect(takenBy(memory, requestOf(3, 100))).toBe(100)
    expect(takenBy(memory, requestOf(2, 100))).toBe(100)
    expect(takenBy(memory, requestOf(1, 100))).toBe(0)
    takenBy(memory, requestOf(4, 1_000))
    expect(takenBy(memory, requestOf(4, 1_000))).toBe(0)
  })

  it('does not remember short conversations', () => {
    const memory = createRequestMemory(MEGABYTES)
    expect([takenBy(memory, requestOf(1, 15)), takenBy(memory, requestOf(1, 15))]).toEqual([0, 0])
  })
})
