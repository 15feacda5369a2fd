import { describe, expect, it } from 'vitest'
import { PLAIN, post, startProvider, startWith, WIRES, type Wire } from './provider.fixture.ts'
import type { ProviderRequest } from './provider-request.ts'
import type { ProviderTurn } from './provider-turn.ts'
import { loopForEver } from './scripts/loop-for-ever.ts'

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, depth: { type: 'integer' }, mode: { enum: ['fast', 'slow'] } },
  required: ['path', 'mode'],
}
const NAMES = ['read', 'write']

const TOOLS: Readonly<Record<Wire, readonly unknown[]>> = {
  'anthropic-messages': NAMES.map((name) => ({ name, input_schema: schema })),
  'openai-chat': NAMES.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
  'openai-responses': NAMES.map((name) => ({ type: 'function', name, parameters: schema })),
}
const NONE = { 'anthropic-messages': { type: 'none' }, 'openai-chat': 'none', 'openai-responses': 'none' } as const
const ANY = {
  'anthropic-messages': { type: 'any' },
  'openai-chat': 'required',
  'openai-responses': 'required',
} as const
const NAMED = {
  'anthropic-messages': { type: 'tool', name: 'write' },
  'openai-chat': { type: 'function', function: { name: 'write' } },
  'openai-responses': { type: 'function', name: 'write' },
} as const
const ONE_BY_ONE = {
  'anthropic-messages': { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
  'openai-chat': { parallel_tool_calls: false },
  'openai-responses': { parallel_tool_calls: false },
} as const
const FORM = {
  'anthropic-messages': { output_config: { format: { type: 'json_schema', schema } } },
  'openai-chat': { response_format: { type: 'json_schema', json_schema: { name: 'form', schema } } },
  'openai-responses': { text: { format: { type: 'json_schema', name: 'form', schema } } },
} as const

const twoCalls: ProviderTurn = {
  text: 'Reading. ',
  toolCalls: [
    { id: 'id_1', name: 'read', arguments: { path: 'a' } },
    { name: 'read', arguments: { path: 'b' } },
  ],
}

describe.each(WIRES)('%s', (wire) => {
  const ask = async (turn: ProviderTurn, more: object) => {
    const provider = await startWith(turn)
    const response = await post(provider, wire, { ...PLAIN[wire], tools: TOOLS[wire], ...more })
    const body = (await response.json()) as Record<string, never>
    return { calls: callsIn(body), text: textIn(body), book: provider.book() }
  }

  it('calls the scripted tools', async () => {
    const { calls, text, book } = await ask(twoCalls, {})
    expect(calls).toMatchObject([{ id: 'id_1', name: 'read', arguments: { path: 'a' } }, { arguments: { path: 'b' } }])
    expect([text, book.toolCalls]).toEqual(['Reading. ', 2])
  })

  it('calls none if the request forbids it, or writes them into its text, or calls them anyway', async () => {
    const closing = { tool_choice: NONE[wire] }
    expect(await ask(twoCalls, closing)).toMatchObject({ calls: [], text: 'Reading. ' })
    const stray = await ask({ ...twoCalls, strayMarkup: true }, closing)
    expect(stray.text).toContain('Reading. <tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>')
    expect(stray.calls).toEqual([])
    expect((await ask({ ...twoCalls, disobeys: true }, closing)).calls).toHaveLength(2)
  })

  it('calls one at a time if the request asks for that', async () => {
    expect((await ask(twoCalls, ONE_BY_ONE[wire])).calls).toHaveLength(1)
  })

  it('keeps a forced form: of a tool, of a named tool, of a schema', async () => {
    const made = { path: 'text', mode: 'fast' }
    expect((await ask({ text: 'no' }, { tool_choice: ANY[wire] })).calls).toMatchObject([
      { name: 'read', arguments: made },
    ])
    expect((await ask(twoCalls, { tool_choice: NAMED[wire] })).calls).toMatchObject([
      { name: 'write', arguments: made },
    ])
    expect(JSON.parse((await ask({ text: 'no' }, { tools: undefined, ...FORM[wire] })).text)).toEqual(made)
    const own = '{"path":"mine","mode":"slow"}'
    expect((await ask({ text: own }, { tools: undefined, ...FORM[wire] })).text).toBe(own)
  })

  it('shows a script what the request offers', async () => {
    const seen: ProviderRequest[] = []
    const provider = await startProvider({
      script: (request) => {
        seen.push(request)
        return { text: 'ok' }
      },
    })
    await post(provider, wire, { ...PLAIN[wire], tools: TOOLS[wire], tool_choice: NONE[wire] })
    expect(seen[0]).toMatchObject({
      number: 1,
      dialect: wire,
      toolChoice: 'none',
      mayCallTools: false,
      choices: 1,
      userText: 'hi',
      toolRounds: 0,
    })
    expect(seen[0]!.tools.map(({ name }) => name)).toEqual(NAMES)
  })

  it('loops forever: with the same arguments, different ones, or given ones', async () => {
    const argumentsOver = async (given: Parameters<typeof loopForEver>[0]) => {
      const provider = await startProvider({ script: loopForEver(given) })
      const seen: unknown[] = []
      for (let round = 0; round < 2; round++) {
        const response = await post(provider, wire, { ...PLAIN[wire], tools: TOOLS[wire] })
        seen.push(...callsIn((await response.json()) as Record<string, never>))
      }
      return seen
    }
    const step = (count: number) => ({ name: 'read', arguments: { step: count } })
    expect(await argumentsOver({})).toMatchObject([step(1), step(2)])
    expect(await argumentsOver({ parallel: 2 })).toMatchObject([1, 2, 3, 4].map(step))
    expect(await argumentsOver({ arguments: 'same' })).toMatchObject([step(0), step(0)])
    const own = await argumentsOver({ toolName: 'write', arguments: { path: 'x' } })
    expect(own).toMatchObject([0, 1].map(() => ({ name: 'write', arguments: { path: 'x' } })))
    const ids = (await argumentsOver({ parallel: 3 })).map((call) => (call as { readonly id: string }).id)
    expect(new Set(ids).size).toBe(6)
  })

  it('loops with answers of one length, and closes with one of another', async () => {
    const script = loopForEver({
      outputTokens: 300,
      thinkingTokens: 700,
      closing: 'So far.',
      closingTokens: 50,
      closingThinkingTokens: 90,
    })
    const provider = await startProvider({ script })
    const thinks = { 'anthropic-messages': { thinking: { type: 'enabled', budget_tokens: 1_024 }, max_tokens: 4_000 } }
    const base =
      wire === 'anthropic-messages' ? { ...PLAIN[wire], ...thinks[wire] } : { ...PLAIN[wire], model: 'gpt-5' }
    const ask = async (more: object) => {
      const body = (await (await post(provider, wire, { ...base, ...more })).json()) as Record<string, never>
      const { outputTokens, reasoningTokens } = provider.book().entries.at(-1)!.usage
      return {
        calls: callsIn(body).length,
        text: textIn(body),
        thought: reasoningTokens,
        said: outputTokens - reasoningTokens,
      }
    }
    expect(await ask({ tools: TOOLS[wire] })).toMatchObject({ calls: 1, thought: 700, said: 300 })
    const closed = await ask({ tools: TOOLS[wire], tool_choice: NONE[wire] })
    expect(closed).toMatchObject({ calls: 0, thought: 90, said: 50, text: expect.stringMatching(/^So far\./) })
    // A side request for a title does not count as a closing answer.
    expect(await ask({})).toMatchObject({ calls: 0, said: 2, text: 'So far.' })
  })

  it('turns an exception in a script into a distinct error', async () => {
    const provider = await startProvider({
      script: () => {
        throw new Error('slip')
      },
    })
    const response = await post(provider, wire, PLAIN[wire])
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('slip')])
    expect(provider.book().outcomes.failed).toBe(1)
  })
})

it.each(['openai-chat', 'openai-responses'] as const)('calls only tools in `allowed_tools`: %s', async (wire) => {
  const provider = await startWith(twoCalls)
  const ask = (name: string) => {
    return post(provider, wire, { ...PLAIN[wire], tools: TOOLS[wire], tool_choice: allowedTools(wire, [name]) })
  }
  for (const name of ['read', 'write']) await (await ask(name)).text()
  expect(provider.book().entries.map(({ toolCalls }) => toolCalls)).toEqual([2, 0])
  expect((await ask('dig')).status).toBe(400)
})

function allowedTools(wire: Wire, names: readonly string[]) {
  const mode = 'auto'
  return wire === 'openai-chat'
    ? {
        type: 'allowed_tools',
        allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) },
      }
    : { type: 'allowed_tools', mode, tools: names.map((name) => ({ type: 'function', name })) }
}

interface Call {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

type Loose = { readonly [field: string]: never }

function callsIn(body: Loose): readonly Call[] {
  const content: readonly Loose[] = body.content ?? body.output ?? []
  const plain = content.flatMap((each): readonly Call[] => {
    if (each.type === 'tool_use') return [{ id: each.id!, name: each.name!, arguments: each.input }]
    if (each.type !== 'function_call') return []
    return [{ id: each.call_id!, name: each.name!, arguments: JSON.parse(each.arguments!) }]
  })
  const choices: readonly { readonly message: Loose }[] = body.choices ?? []
  const chat = choices.flatMap(({ message }) => (message.tool_calls ?? []) as readonly Loose[])
  return [
    ...plain,
    ...chat.map((call) => {
      const made: Loose = call.function!
      return { id: call.id! as string, name: made.name! as string, arguments: JSON.parse(made.arguments!) }
    }),
  ]
}

function textIn(body: Loose): string {
  const choices: readonly { readonly message: { readonly content: string | null } }[] = body.choices ?? []
  if (choices.length > 0) return choices[0]!.message.content ?? ''
  const content: readonly Loose[] = body.content ?? []
  const output: readonly Loose[] = body.output ?? []
  const parts: readonly Loose[] = [...content, ...output.flatMap((item) => (item.content ?? []) as readonly Loose[])]
  return parts.map((part) => part.text ?? '').join('')
}
