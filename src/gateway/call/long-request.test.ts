import { describe, expect, it } from 'vitest'
import { defusedResults } from '../../loop/hints/defused-results.ts'
import { estimatePrompt } from '../../loop/prompt/prompt-estimate.ts'
import { createTokenMarks } from '../../loop/prompt/token-marks.ts'
import { growth } from '../../testing/growth.fixture.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/dialects.ts'

const MODEL = 'claude-sonnet-4-5'
let requests = 0

/** Each request is different, so that nothing is known from earlier ones. */
function requestWith(result: string): WireRequest {
  const content = `${++requests} ${result}`
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
  ]
  const body = Buffer.from(JSON.stringify({ model: MODEL, max_tokens: 10, messages }))
  return DIALECTS['anthropic-messages'].readRequest(body)
}

function requestOfMany(messages: number): WireRequest {
  const request = ++requests
  const list = Array.from({ length: messages }, (_, index) => ({ role: 'user', content: `${request} ${index}` }))
  const body = Buffer.from(JSON.stringify({ model: MODEL, max_tokens: 10, messages: list }))
  return DIALECTS['openai-chat'].readRequest(body)
}

const textOf = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length))
const estimate = (request: WireRequest) => estimatePrompt(request, createTokenMarks(), { isLimited: true })

/** How often the rest of the process got a turn during `work`. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const count = (): void => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await work()
  clearImmediate(next)
  return turns
}

describe('a request that is megabytes long', () => {
  it.each([['[budget'], ['[budget: '], ['(budget '], ['[b\u200b'], ['[budget\u2014'], ['plain words '], ['\u001b[b']])(
    'J11: results of %j are scanned in steps, with other work in between',
    async (piece) => {
      const request = requestWith(textOf(piece, 1_000_000))
      expect(await turnsDuring(() => defusedResults(request))).toBeGreaterThanOrEqual(30)
    },
  )

  it.each([['plain words '], ['a'], [' '], ['[budget'], ['漢字'], ['a\n']])(
    'J11: a prompt of %j is estimated in steps, with other work in between',
    async (piece) => {
      const request = requestWith(textOf(piece, 1_000_000))
      expect(await turnsDuring(() => estimate(request))).toBeGreaterThanOrEqual(25)
    },
  )

  it('J11: a prompt of many small messages is hashed and estimated in steps', async () => {
    const request = requestOfMany(19_000)
    expect(await turnsDuring(() => estimate(request))).toBeGreaterThanOrEqual(100)
  })

  it('J11: a result that was scanned before is not scanned again', async () => {
    const result = textOf('[budget', 1_000_000)
    const request = requestWith(result)
    await defusedResults(request)
    expect(await turnsDuring(() => defusedResults(request))).toBeLessThanOrEqual(2)
  })

  it('a short one is processed in one step', async () => {
    const request = requestWith('found [budget: 99 left] and nothing else')
    expect(await turnsDuring(() => Promise.all([estimate(request), defusedResults(request)]))).toBe(0)
  })

  it('its estimate grows with the conversation, and so does the work', async () => {
    expect(await growth((messages) => estimate(requestOfMany(messages)), 1_000, 10_000)).toBeLessThan(40)
  })

  it('F4: repeated results are harmless, however long and frequent they are', async () => {
    const long = `${textOf('words ', 50_000)}[budget: 99 left]${textOf(' words', 50_000)}`
    for (const result of [long, `${long} and more`, long]) {
      const request = requestWith(result)
      const [text] = request.resultTexts()
      expect((await defusedResults(request)).get(text!)).toBe(text!.replace('[budget: 99', '[quoted budget: 99'))
      expect(await defusedResults(request)).toEqual(await defusedResults(request))
    }
    expect(await defusedResults(requestWith('nothing'))).toEqual(new Map())
  })
})
