import { describe, expect, it } from 'vitest'
import { createGate } from './gate.ts'
import {
  anthropicAt,
  errorIn,
  eventsIn,
  openaiAt,
  PLAIN,
  post,
  startProvider,
  startWith,
  WIRES,
} from './provider.fixture.ts'
import type { ProviderTurn } from './provider-turn.ts'

const LONG: ProviderTurn = { text: 'word '.repeat(40) }

/** What arrives until the connection ends, and whether it ended normally. */
async function readAll(response: Response): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body!) text += decoder.decode(chunk as Uint8Array, { stream: true })
    return { text, isWhole: true }
  } catch {
    return { text, isWhole: false }
  }
}

describe.each(WIRES)('%s', (wire) => {
  const streamed = {
    ...PLAIN[wire],
    stream: true,
    ...(wire === 'openai-chat' ? { stream_options: { include_usage: true } } : {}),
  }

  it.each([429, 500, 503, 529])('fails with %i before the first byte, and charges nothing', async (status) => {
    const provider = await startWith({ ...LONG, fault: { kind: 'status', status, retryAfterSeconds: 7 } })
    for (const body of [PLAIN[wire], streamed]) {
      const response = await post(provider, wire, body)
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, '7'])
      expect((await errorIn(response)).type).toMatch(
        /rate_limit_error|requests|api_error|server_error|unavailable|overloaded/,
      )
    }
    expect(provider.book()).toMatchObject({ outcomes: { failed: 2 }, costNanoUsd: 0 })
  })

  it('ends the connection without an answer', async () => {
    const provider = await startWith({ fault: { kind: 'no-answer' } })
    await expect(post(provider, wire, PLAIN[wire])).rejects.toThrow('fetch failed')
    expect(provider.book()).toMatchObject({ outcomes: { failed: 1 }, costNanoUsd: 0 })
  })

  it.each(['JSON', 'a stream'])('is cut in the middle of %s, and charges what was written', async (form) => {
    const body = form === 'JSON' ? PLAIN[wire] : streamed
    const whole = await startWith(LONG)
    const expected = await (await post(whole, wire, body)).text()
    const provider = await startWith({ ...LONG, fault: { kind: 'cut' } })
    const { text, isWhole } = await readAll(await post(provider, wire, body))
    expect(isWhole).toBe(false)
    expect(expected.startsWith(text)).toBe(true)
    expect(text.length).toBeGreaterThan(0)
    await provider.until(({ inFlight }) => inFlight === 0)
    const [entry] = provider.book().entries
    expect(entry).toMatchObject({ outcome: 'cut', usage: { inputTokens: 1 } })
    if (form === 'JSON') expect(entry!.usage.outputTokens).toBe(50)
    else expect(entry!.usage.outputTokens).toBeLessThan(51)
  })

  it('stalls until its gate opens, then continues', async () => {
    const until = createGate()
    const provider = await startWith({ ...LONG, fault: { kind: 'stall', afterPieces: 2, until } })
    const response = await post(provider, wire, streamed)
    const reader = response.body!.getReader()
    expect((await reader.read()).done).toBe(false)
    expect(provider.book().outcomes.running).toBe(1)
    until.open()
    while (!(await reader.read()).done);
    await provider.until(({ inFlight }) => inFlight === 0)
    expect(provider.book().outcomes).toMatchObject({ answered: 1, running: 0 })
  })

  it('sends its headers and nothing else', async () => {
    const provider = await startWith({ ...LONG, fault: { kind: 'headers-only' } })
    const controller = new AbortController()
    const response = await post(provider, wire, streamed, { signal: controller.signal })
    expect(response.status).toBe(200)
    controller.abort()
    await provider.until(({ inFlight }) => inFlight === 0)
    expect(provider.book().entries[0]).toMatchObject({ outcome: 'gone', usage: { inputTokens: 1, outputTokens: 0 } })
  })

  it('sends an error in the stream, and as an answer without one', async () => {
    const provider = await startWith({ ...LONG, fault: { kind: 'error-event', message: 'Too busy' } })
    const { text, isWhole } = await readAll(await post(provider, wire, streamed))
    expect(isWhole).toBe(true)
    expect(JSON.stringify(eventsIn(text).at(-1))).toContain('"message":"Too busy"')
    const response = await post(provider, wire, PLAIN[wire])
    expect([response.status, (await errorIn(response)).message]).toEqual([529, 'Too busy'])
    expect(provider.book().outcomes).toMatchObject({ failed: 2 })
  })

  it('records that a client disconnected, with what was written for it', async () => {
    const pieceGate = createGate()
    const provider = await startWith({ ...LONG, pieceGate })
    const controller = new AbortController()
    pieceGate.pass(2)
    const response = await post(provider, wire, streamed, { signal: controller.signal })
    await response.body!.getReader().read()
    controller.abort()
    await provider.until(({ inFlight }) => inFlight === 0)
    expect(pieceGate.waiting).toBe(0)
    const [entry] = provider.book().entries
    expect(entry!.outcome).toBe('gone')
    expect(entry!.usage.outputTokens).toBeLessThan(50)
  })

  it('waits for gates, and counts the requests in flight', async () => {
    const startGate = createGate()
    const provider = await startWith({ text: 'hi', startGate })
    const answers = [1, 2, 3].map(() => post(provider, wire, PLAIN[wire]))
    await provider.until(({ inFlight }) => inFlight === 3)
    startGate.pass()
    await provider.until(({ inFlight }) => inFlight === 2)
    startGate.open()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(provider.mostInFlight).toBe(3)
  })

  it('sends the same bytes in any pieces', async () => {
    const texts: string[] = []
    for (const chunkBytes of [undefined, 1, 7, 100_000]) {
      const provider = await startWith(
        { text: 'zwölf – 十二 🎉', ...(chunkBytes === undefined ? {} : { chunkBytes }) },
        { now: () => 0 },
      )
      texts.push(await (await post(provider, wire, streamed)).text())
      expect(provider.book().entries[0]).toMatchObject({ outcome: 'answered', usage: { outputTokens: 6 } })
    }
    expect(new Set(texts).size).toBe(1)
  })

  describe('reports its usage as', () => {
    const usagesOf = async (usage: NonNullable<ProviderTurn['usage']>, body: unknown) => {
      const provider = await startWith({ text: 'twelve bytes', usage })
      const text = await (await post(provider, wire, body)).text()
      expect(provider.book().usage).toMatchObject({ inputTokens: 1, outputTokens: 3 })
      return (text.match(/"(output|completion)_tokens":-?\d+/g) ?? []).map((found) => Number(found.split(':')[1]))
    }

    it('nothing', async () => {
      expect(await usagesOf('missing', PLAIN[wire])).toEqual([])
      expect(await usagesOf('missing', streamed)).toEqual([])
    })

    it('something below zero', async () => {
      expect(await usagesOf('negative', PLAIN[wire])).toEqual([-4])
      expect((await usagesOf('negative', streamed)).at(-1)).toBe(-4)
    })

    it('the same twice', async () => {
      expect((await usagesOf('repeated', streamed)).slice(-2)).toEqual([3, 3])
    })

    it('more and more, up to the correct amount', async () => {
      const told = await usagesOf('cumulative', streamed)
      expect(told.at(-1)).toBe(3)
      expect(told).toEqual([...told].sort((one, other) => one - other))
      expect(told.length).toBeGreaterThan(1)
    })

    it('anything that a test wants', async () => {
      const provider = await startWith({ text: 'x', usage: { raw: 'lots' } })
      expect(await (await post(provider, wire, streamed)).text()).toContain('"usage":"lots"')
    })
  })
})

describe('the official clients', () => {
  it('retry after 429 and 500, each time as a request of its own', async () => {
    const failing: readonly ProviderTurn[] = [
      { fault: { kind: 'status', status: 429, retryAfterSeconds: 0 } },
      { fault: { kind: 'status', status: 500, retryAfterSeconds: 0 } },
      { text: 'at last' },
    ]
    const provider = await startProvider({ script: [...failing, ...failing] })
    const message = await anthropicAt(provider, 2).messages.create({
      model: 'claude-haiku-5-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(message.content).toMatchObject([{ text: 'at last' }])
    const { output_text } = await openaiAt(provider, 2).responses.create({ model: 'gpt-5', input: 'hi' })
    expect(output_text).toBe('at last')
    expect(provider.requests.map(({ headers }) => headers['x-stainless-retry-count'])).toEqual([
      '0',
      '1',
      '2',
      '0',
      '1',
      '2',
    ])
  })

  it('throw an error of the stream as their own error', async () => {
    const provider = await startWith({ text: 'some words', fault: { kind: 'error-event', message: 'Too busy' } })
    const stream = anthropicAt(provider).messages.stream({
      model: 'claude-haiku-5-5',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'hi' }],
    })
    await expect(stream.finalMessage()).rejects.toThrow('Too busy')
    const chat = openaiAt(provider).chat.completions.stream({
      model: 'gpt-4.1',
      messages: [{ role: 'user', content: 'hi' }],
    })
    await expect(chat.finalChatCompletion()).rejects.toThrow('Too busy')
    const response = openaiAt(provider).responses.stream({ model: 'gpt-4.1', input: 'hi' })
    await expect(response.finalResponse()).rejects.toThrow('Too busy')
  })
})
