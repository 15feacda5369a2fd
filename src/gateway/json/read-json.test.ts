import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonSpan, memberOf, readJson } from './index.ts'
import { jsonText } from './json.fixture.ts'

const SHAPE = { members: { messages: { elements: { members: { content: { elements: { members: {} } } } } } } } as const

const read = (text: string | Buffer) => readJson(Buffer.from(text as string), SHAPE)
const textAt = (body: Buffer, span: JsonSpan | null) => body.subarray(span!.start, span!.end).toString()

const keysFrom = (first: number, count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${first + index}`, index])))

describe('readJson', () => {
  it('finds the members, elements and blocks that the shape names', () => {
    const body = read(
      ' { "max_tokens" : 12 ,"messages":[ {"role":"user","content":[{"text":"é]\\"}"},{} ]}, {"content":"hi"} ] } ',
    )
    expect(textAt(body.bytes, memberOf(body.root, 'max_tokens'))).toBe('12')
    const messages = memberOf(body.root, 'messages')!
    expect(messages.elements).toHaveLength(2)
    const blocks = memberOf(messages.elements[0], 'content')!
    expect(blocks.elements.map((block) => textAt(body.bytes, block))).toEqual(['{"text":"é]\\"}"}', '{}'])
    expect(textAt(body.bytes, memberOf(messages.elements[1], 'content'))).toBe('"hi"')
    expect(body.value.max_tokens).toBe(12)
  })

  it('reads every JSON object as JSON.parse does, with the position of each member', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const bytes = Buffer.from(`{"messages":[{"content":[${text}, ${text}]}],"other":${text}}`)
        const body = readJson(bytes, {
          members: { messages: { elements: { members: { content: { elements: {} } } } } },
        })
        expect(body.value).toEqual(JSON.parse(bytes.toString()))
        const content = memberOf(memberOf(body.root, 'messages')!.elements[0], 'content')!
        expect(content.elements.map((element) => textAt(bytes, element))).toEqual([text, text])
        expect(textAt(bytes, memberOf(body.root, 'other'))).toBe(text)
        expect(body.root.end).toBe(bytes.length)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(
    [
      ['{"a":1,}', /byte 7.*not valid JSON/],
      ['{"a":1', /ends too early/],
      ['', /ends too early/],
      ['{"a":"\n"}', /byte 6.*not valid JSON/],
      ['{"a":"\\x"}', /byte 6.*not valid JSON/],
      ['{"a":01}', /byte 6.*not valid JSON/],
      ['{"a":tru}', /byte 5.*not valid JSON/],
      ['{"a" 1}', /byte 5.*not valid JSON/],
      ['{a:1}', /byte 1.*not valid JSON/],
      ['[1]', /The body is an array.*JSON object/],
      ['null', /The body is null/],
      ['"x"', /The body is a string/],
      ['{"a":1}{', /byte 7.*not valid JSON/],
      ['{"max_tokens":1,"max_tokens":2}', /The body.*byte 16.*"max_tokens" twice/],
      ['{"max_tokens":1,"max_tok\\u0065ns":2}', /"max_tokens" twice/],
      ['{"messages":[{"role":"user","role":"user"}]}', /messages\[0\].*"role" twice/],
      ['{"messages":[{"content":[{},{"type":1,"type":2}]}]}', /messages\[0\]\.content\[1\].*"type" twice/],
      ['{"__proto__":{"max_tokens":1}}', /__proto__/],
      ['{"\\u005f_proto__":1}', /__proto__/],
      ['{"a":1e999}', /a \(at byte 5\).*number out of range/],
      ['{"a":{"b":[-1E400]}}', /a \(at byte \d+\).*number out of range/],
      [`{"a":1${'0'.repeat(400)}}`, /number out of range/],
      ['{"a":"\\ud800"}', /byte 6.*surrogate/],
      ['{"a":"\\\\\\uDC00"}', /byte 8.*surrogate/],
      ['{"a":"\\ud83d\\u0041"}', /surrogate/],
      ['\ufeff{}', /byte order mark/],
      [`{"a":${'['.repeat(300)}${']'.repeat(300)}}`, /a .*deeper than 256/],
      [`{"a":${'{"b":'.repeat(300)}1${'}'.repeat(300)}}`, /deeper than 256/],
      [`{"a":[${'1,'.repeat(60_000)}1]}`, /a \(at byte \d+\) holds more than 60000 values: send fewer/],
      [`{"messages":[${'1,'.repeat(60_000)}1]}`, /more than 60000 values/],
      [`{"a":${'['.repeat(200)}${']'.repeat(200)},"b":[${'[],'.repeat(60_000)}1]}`, /more than 60000 values/],
      [keysFrom(0, 1_001), /The body.*has more than 1000 keys: send fewer/],
      [`{"messages":[${keysFrom(0, 1_001)}]}`, /messages\[0\].*more than 1000 keys/],
    ].map(([text, message]) => ({ shown: `${text}`.slice(0, 50), text: `${text}`, message: message as RegExp })),
  )('refuses $shown and says where', ({ text, message }) => {
    expect(() => read(text)).toThrow(message)
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })

  it('reads a conversation of 2,401 small messages with a hundred tools', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [`p${index}`, { type: 'string', description: 'd', enum: ['a', 'b'] }]),
    )
    const tools = Array.from({ length: 100 }, (_, index) => ({
      name: `tool_${index}`,
      input_schema: { type: 'object', properties, required: ['p0', 'p1'], additionalProperties: false },
    }))
    const messages = Array.from({ length: 2_401 }, (_, index) =>
      index % 2 === 0
        ? { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }] }] }
        : {
            role: 'assistant',
            content: [
              { type: 'text', text: 'a' },
              { type: 'tool_use', id: 'a', name: 'tool_1', input: { path: 'a', from: 1, to: 2 } },
            ],
          },
    )
    expect(memberOf(read(JSON.stringify({ tools, messages })).root, 'messages')?.elements).toHaveLength(2_401)
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(() => read(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(/not UTF-8/)
    // A surrogate, encoded as UTF-8.
    expect(() => read(Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(/not UTF-8/)
  })

  it('accepts surrogate pairs, depths and numbers within bounds, and keys of values that are not located', () => {
    for (const text of ['{"a":"\\ud83d\\ude00 \\\\ud800"}', '{"a":1e308}', '{"a":{"b":1,"b":2,"__proto__":3}}']) {
      expect(read(text).value).toEqual(JSON.parse(text))
    }
    expect(() => read(`{"a":${'['.repeat(255)}${']'.repeat(255)}}`)).not.toThrow()
  })

  it('terminates on any bytes, with a value or our own error', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '1e',
      '-',
      ' ',
      'true',
      '"messages":[',
      'é',
      '\u0000',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          read(parts.join(''))
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad_request' })
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('takes linear time for a string of nothing but backslashes and quotes', () => {
    const text = `{"a":"${'\\\\'.repeat(500_000)}${'\\"'.repeat(500_000)}"}`
    expect(read(text).root.end).toBe(text.length)
  })
})
