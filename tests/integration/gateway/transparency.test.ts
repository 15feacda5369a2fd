import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { createScriptedProvider, toolThenText } from '../../../src/testing/provider/index.ts'
import { runAgent, WIRES } from './agents.ts'
import { KEY, startStage } from './stage.ts'

const shapes = WIRES.flatMap((wire) => [false, true].map((isStream) => ({ wire, isStream })))
// What one hop says to the next, and when something was made.
const OWN = ['host', 'connection', 'content-length', 'accept-encoding', 'keep-alive', 'transfer-encoding', 'date']

describe('without limits', () => {
  it.each(shapes)(
    'A14: the requests and the answers are those without a gateway, byte for byte: %o',
    async ({ wire, isStream }) => {
      const now = () => 1_700_000_000_000
      const script = () => toolThenText(2, { parallel: 2, text: 'Let me look — “ü”.', closing: 'All seen.' })
      const plain = await createScriptedProvider({ script: script(), now })
      const stage = await startStage({ provider: { script: script(), now } })
      const options = { isStream, headers: { 'x-own': 'kept' }, result: (call: number) => `[budget: 99 left] ${call}` }
      const bare = await runAgent(
        {
          anthropic: () => new Anthropic({ baseURL: plain.url, apiKey: 'made-up' }),
          openai: () => new OpenAI({ baseURL: plain.openaiUrl, apiKey: 'made-up' }),
        },
        wire,
        options,
      )
      const governed = await runAgent(stage, wire, options)
      expect(governed).toMatchObject({ error: null, toolRuns: 4, text: 'All seen.', requests: 3 })
      expect({ ...governed, toolCallIds: [] }).toEqual({ ...bare, toolCallIds: [] })
      const bodies = (requests: typeof plain.requests) => requests.map(({ body }) => body.toString())
      const sent = bodies(stage.provider.requests)
      // The usage of a chat stream comes only if it is asked for.
      const asked = wire === 'openai-chat' && isStream
      const cleaned = asked ? sent.map(withoutUsageAsked) : sent
      expect(cleaned.map(withoutIds)).toEqual(bodies(plain.requests).map(withoutIds))
      const headers = (requests: typeof plain.requests) =>
        requests.map((request) =>
          Object.entries(request.headers)
            .filter(([name]) => !OWN.includes(name))
            .toSorted(),
        )
      expect(headers(stage.provider.requests)).toEqual(headers(plain.requests))
      await plain.close()
      await stage.settle()
      const usage = await stage.run.usage()
      expect(usage.cost.settled).toBe(stage.provider.book().costNanoUsd)
      expect(usage.toolCalls).toMatchObject({ settled: 4, limit: null })
    },
  )

  it.each(shapes)('A14: the bytes of an answer are those of the provider: %o', async ({ wire, isStream }) => {
    const now = () => 1_700_000_000_000
    const script = [{ text: 'One, two, three.', chunkBytes: 7, usage: 'repeated' as const }]
    const plain = await createScriptedProvider({ script, now })
    const stage = await startStage({ provider: { script, now } })
    const [path, body] = {
      'anthropic-messages': ['/v1/messages', { model: 'claude-haiku-5-5', max_tokens: 64, messages: MESSAGES }],
      'openai-chat': ['/v1/chat/completions', { model: 'gpt-4.1', messages: MESSAGES, ...USAGE(isStream) }],
      'openai-responses': ['/v1/responses', { model: 'gpt-4.1', input: 'hi' }],
    }[wire] as [string, object]
    const request = {
      method: 'POST',
      headers: { authorization: 'Bearer made-up', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...body, stream: isStream }),
    }
    const bare = await fetch(`${plain.url}${path}`, request)
    const base = wire === 'anthropic-messages' ? 'anthropic' : 'openai'
    const governed = await fetch(`${stage.gateway.url}/k/${KEY}/${base}${path}`, request)
    expect(governed.status).toBe(200)
    expect(withoutIds(await governed.text())).toBe(withoutIds(await bare.text()))
    const shown = [...governed.headers.keys()].filter((name) => name.startsWith('x-stint'))
    expect(shown).toEqual([])
    expect(governed.headers.get('content-type')).toBe(bare.headers.get('content-type'))
    await plain.close()
  })
})

const MESSAGES = [{ role: 'user', content: 'hi' }]
const USAGE = (isStream: boolean) => (isStream ? { stream_options: { include_usage: true } } : {})

function withoutUsageAsked(body: string): string {
  const { stream_options, ...rest } = JSON.parse(body) as Record<string, unknown>
  expect(stream_options).toEqual({ include_usage: true })
  return JSON.stringify(rest)
}

/** Ids that a provider makes up anew each time. */
function withoutIds(text: string): string {
  return text.replace(/(msg|toolu|call|chatcmpl|resp|fc|rs|req)[-_][A-Za-z0-9]+/g, '$1_ID')
}
