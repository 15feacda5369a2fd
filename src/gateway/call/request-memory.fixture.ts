import fc from 'fast-check'
import type { DialectName } from '../dialects/dialect.ts'

/** A message of a random conversation, in any dialect. */
export interface SomeMessage {
  readonly kind: 'user' | 'system' | 'call' | 'result' | 'image' | 'odd'
  readonly id: string
  readonly text: string
}

/** A request of a random conversation. */
export interface SomeRequest {
  readonly messages: readonly SomeMessage[]
  readonly tools: readonly string[]
  readonly maxTokens: number
  readonly model: string
  /** The message with the cache mark; -1 for none. */
  readonly markAt: number
  readonly isListFirst: boolean
  readonly space: number
}

// All of the same length: a change does not always move what follows.
const TEXTS = ['plain words 1', 'plain words 2', '[budget: 3 l]', '[budget: 4 l]', 'Grüße 😀', ''] as const

const someMessage: fc.Arbitrary<SomeMessage> = fc.record({
  kind: fc.constantFrom('user', 'user', 'system', 'call', 'result', 'result', 'result', 'image', 'odd'),
  // Some models repeat ids.
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  text: fc.constantFrom(...TEXTS),
})

export const someRequest: fc.Arbitrary<SomeRequest> = fc.record({
  messages: fc.array(someMessage, { minLength: 16, maxLength: 22 }),
  tools: fc.array(fc.constantFrom('read', 'edit'), { maxLength: 2 }),
  maxTokens: fc.constantFrom(100, 200),
  model: fc.constantFrom('model-a', 'model-b'),
  markAt: fc.integer({ min: -1, max: 21 }),
  isListFirst: fc.boolean(),
  space: fc.constantFrom(0, 0, 1),
})

/** How the next request of a conversation differs from the one before. */
export type Step =
  | { readonly kind: 'append'; readonly added: readonly SomeMessage[] }
  | { readonly kind: 'change'; readonly at: number; readonly message: SomeMessage }
  | { readonly kind: 'remove'; readonly at: number; readonly count: number }
  | { readonly kind: 'fields'; readonly fields: Partial<Omit<SomeRequest, 'messages'>> }
  | { readonly kind: 'damage'; readonly at: number; readonly text: string }

const DAMAGE = [
  '.5',
  '5',
  'e1',
  '}',
  ',',
  ']',
  ' ',
  '"',
  ',5',
  ',{}',
  ',{"role":"user","content":"\\ud83d"}',
  ',"n":1e999',
]
const DAMAGED_ENDS = [
  ...['"tools":[]', '"model":"x"', '"messages":[]', '"input":[]', '"Max_Tokens":5', '"max_tokens":1.5'],
  ...['"\\u006dodel":"x"', '"a":{"b":1}', '"n":1e999', '"\xff":1'],
].map((member) => `end,${member}`)

export const someStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('append'), added: fc.array(someMessage, { maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change'), at: fc.nat(30), message: someMessage }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), at: fc.nat(30), count: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fields'),
      fields: fc.record(
        {
          tools: fc.array(fc.constantFrom('read', 'edit'), { maxLength: 2 }),
          maxTokens: fc.constantFrom(100, 200),
          model: fc.constantFrom('model-a', 'model-b'),
          markAt: fc.integer({ min: -1, max: 30 }),
          isListFirst: fc.boolean(),
          space: fc.constantFrom(0, 1),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('damage'),
      at: fc.nat(30),
      text: fc.constantFrom(...DAMAGE, ...DAMAGED_ENDS),
    }),
  },
) as fc.Arbitrary<Step>

/** The next request. Damage affects only its bytes. */
export function nextRequest(request: SomeRequest, step: Step): SomeRequest {
  const { messages } = request
  if (step.kind === 'append') return { ...request, messages: [...messages, ...step.added] }
  if (step.kind === 'fields') return { ...request, ...step.fields }
  if (step.kind === 'damage' || messages.length === 0) return request
  const at = step.at % messages.length
  if (step.kind === 'change') return { ...request, messages: messages.with(at, step.message) }
  return { ...request, messages: messages.toSpliced(at, step.count) }
}

/** The body of a request, damaged by this step. */
export function bodyOf(dialect: DialectName, request: SomeRequest, step?: Step): Buffer {
  const { messages, tools, maxTokens, model, markAt, isListFirst, space } = request
  const writeMessage = WRITERS[dialect]
  const written = messages.map((message, index) => writeMessage(message, index === markAt % 22))
  const list = { [dialect === 'openai-responses' ? 'input' : 'messages']: written }
  const cap = { [dialect === 'openai-responses' ? 'max_output_tokens' : 'max_tokens']: maxTokens }
  const others = { ...cap, tools: tools.map((name) => toolOf(dialect, name)), user: 'Zoë' }
  const body = isListFirst ? { model, ...list, ...others } : { model, ...others, ...list }
  const text = JSON.stringify(body, null, space)
  if (step?.kind !== 'damage') return Buffer.from(text)
  if (step.text.startsWith('end')) {
    const [before, after] = `${text.slice(0, -1)}${step.text.slice(3)}}`.split('\xff')
    // Invalid UTF-8 is a single byte.
    return after === undefined
      ? Buffer.from(before!)
      : Buffer.concat([Buffer.from(before!), Buffer.from([0xff]), Buffer.from(after)])
  }
  const place = placeBehind(text, written, step.at, space)
  return Buffer.from(text.slice(0, place) + step.text + text.slice(place))
}

/** The position after one of the messages. */
function placeBehind(text: string, written: readonly object[], at: number, space: number): number {
  const message = written[at % Math.max(1, written.length)]
  const found = message === undefined || space > 0 ? -1 : text.indexOf(JSON.stringify(message))
  return found === -1 ? text.length - 1 : found + JSON.stringify(message).length
}

function toolOf(dialect: DialectName, name: string): object {
  const description = `Reads or edits a file, ${'as agents do. '.repeat(10)}`
  if (dialect === 'anthropic-messages') return { name, description, input_schema: { type: 'object' } }
  if (dialect === 'openai-responses') return { type: 'function', name, description }
  return { type: 'function', function: { name, description } }
}

const MARK = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const DATA = Buffer.from('an image').toString('base64')

const WRITERS: Readonly<Record<DialectName, (message: SomeMessage, isMarked: boolean) => object>> = {
  'anthropic-messages': ({ kind, id, text }, isMarked) => {
    const mark = isMarked ? MARK : {}
    if (kind === 'call') {
      return { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: text }, ...mark }] }
    }
    if (kind === 'result') {
      const second = text === '' ? [] : [{ type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text }] }]
      return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text, ...mark }, ...second] }
    }
    if (kind === 'image') {
      const source = { type: 'base64', media_type: 'image/png', data: DATA }
      return { role: 'user', content: [{ type: 'image', source, ...mark }] }
    }
    if (kind === 'odd') {
      return {
        role: 'user',
        content: [{ type: 'tool_addition', tool: { definition: { name: text, type: 'custom' } } }],
      }
    }
    return isMarked ? { role: 'user', content: [{ type: 'text', text, ...mark }] } : { role: 'user', content: text }
  },
  'openai-chat': ({ kind, id, text }, isMarked) => {
    const mark = isMarked ? MARK : {}
    if (kind === 'call') {
      const call = { id, type: 'function', function: { name: 'read', arguments: text } }
      return { role: 'assistant', content: null, tool_calls: [call], ...mark }
    }
    if (kind === 'result') return { role: 'tool', tool_call_id: id, content: text, ...mark }
    if (kind === 'image') {
      const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${DATA}` } }
      return { role: 'user', content: [image], ...mark }
    }
    if (kind === 'odd') return { role: 'function', name: id, content: [{ type: 'text', text, ...mark }] }
    return { role: kind, content: text, ...mark }
  },
  'openai-responses': ({ kind, id, text }, isMarked) => {
    const mark = isMarked ? { prompt_cache_breakpoint: {} } : {}
    if (kind === 'call') return { type: 'function_call', call_id: id, name: 'read', arguments: text }
    if (kind === 'result') return { type: 'function_call_output', call_id: id, output: text }
    if (kind === 'image') {
      const image = { type: 'input_image', image_url: `data:image/png;base64,${DATA}` }
      return { role: 'user', content: [image, { type: 'input_text', text, ...mark }] }
    }
    if (kind === 'odd') {
      const output = [{ stdout: text, stderr: '[budget: 1]', outcome: { type: 'exit', exit_code: 0 } }]
      if (id === 'a') return { type: 'shell_call_output', call_id: id, output }
      return id === 'b' ? { type: 'item_reference', id: text } : { type: 'reasoning', id, encrypted_content: text }
    }
    return { type: 'message', role: kind, content: [{ type: 'input_text', text, ...mark }] }
  },
}
