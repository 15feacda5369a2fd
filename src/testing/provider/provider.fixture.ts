import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import { createScriptedProvider } from './create-scripted-provider.ts'
import type { ProviderTurn } from './provider-turn.ts'
import type { ScriptedProvider, ScriptedProviderOptions } from './scripted-provider.ts'

/** A provider that is closed when the test ends. */
export async function startProvider(options: ScriptedProviderOptions = {}): Promise<ScriptedProvider> {
  const provider = await createScriptedProvider(options)
  onTestFinished(() => provider.close())
  return provider
}

export function anthropicAt(provider: ScriptedProvider, maxRetries = 0): Anthropic {
  return new Anthropic({ baseURL: provider.url, apiKey: 'made-up', maxRetries })
}

export function openaiAt(provider: ScriptedProvider, maxRetries = 0): OpenAI {
  return new OpenAI({ baseURL: provider.openaiUrl, apiKey: 'made-up', maxRetries })
}

export const PATHS = {
  'anthropic-messages': '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
} as const

export type Wire = keyof typeof PATHS

/** The smallest request that each dialect answers. */
export const PLAIN: Readonly<Record<Wire, { readonly [field: string]: unknown }>> = {
  'anthropic-messages': { model: 'claude-sonnet-4-5', max_tokens: 1_000, messages: [{ role: 'user', content: 'hi' }] },
  'openai-chat': { model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { model: 'gpt-4.1', input: 'hi' },
}

export const WIRES = Object.keys(PATHS) as readonly Wire[]

const HEADERS = {
  'content-type': 'application/json',
  authorization: 'Bearer made-up',
  'anthropic-version': '2023-06-01',
}

/** Sends a body unchanged, without an SDK that might fix it. */
export function post(provider: ScriptedProvider, wire: Wire, body: unknown, more: RequestInit = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(provider.url + PATHS[wire], { method: 'POST', headers: HEADERS, body: text, ...more })
}

/** The routes that count the input of a request that is not sent. */
export const COUNT_PATHS = {
  'anthropic-messages': '/v1/messages/count_tokens',
  'openai-responses': '/v1/responses/input_tokens',
} as const

/** Asks for a count, without an SDK. */
export function postCount(
  provider: ScriptedProvider,
  wire: keyof typeof COUNT_PATHS,
  body: unknown,
  more: RequestInit = {},
): Promise<Response> {
  return fetch(provider.url + COUNT_PATHS[wire], {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(body),
    ...more,
  })
}

/** The events of a stream, as far as they are JSON. */
export function eventsIn(text: string): readonly { readonly [field: string]: unknown }[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

/** A provider that does the same with every request. */
export function startWith(turn: ProviderTurn, options: ScriptedProviderOptions = {}): Promise<ScriptedProvider> {
  return startProvider({ ...options, script: () => turn })
}

/** The error in a refusal, which is in the same place in every dialect. */
export async function errorIn(response: Response): Promise<{ readonly type: string; readonly message: string }> {
  const body = (await response.json()) as { readonly error: { readonly type: string; readonly message: string } }
  return body.error
}
