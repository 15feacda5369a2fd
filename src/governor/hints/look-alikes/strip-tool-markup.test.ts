import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { growth } from '../../../testing/growth.fixture.ts'
import { stripToolMarkup } from '../index.ts'

const CALL = '{"name": "read", "arguments": {"path": "a}b", "text": "say \\"]\\""}}'

const KINDS: readonly (readonly [kind: string, markup: string])[] = [
  ['tool_call', `<tool_call>\n${CALL}\n</tool_call>`],
  ['tool_calls', `<tool_calls>[${CALL}]</tool_calls>`],
  ['tool_call with argument tags', '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>'],
  [
    'tool_call with a function inside',
    '<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>',
  ],
  ['tool_use', `<tool_use>${CALL}</tool_use>`],
  ['function_call', `<function_call>${CALL}</function_call>`],
  ['function=', '<function=read>{"path": "a"}</function>'],
  [
    'function_calls',
    '<function_calls>\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>\n</function_calls>',
  ],
  [
    'function_calls with a namespace',
    '<x:function_calls>\n<x:invoke name="read">\n<x:parameter name="path">a</x:parameter>\n</x:invoke>\n</x:function_calls>',
  ],
  ['invoke alone', '<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>'],
  ['invoke alone, empty', '<x:invoke name="read"/>'],
  ['parameter alone', '<parameter name="path">a</parameter>'],
  [
    'DSML',
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read">\n<｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  ],
  [
    'special tokens',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{"path": "a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  ['special tokens in ASCII', '<|tool▁calls▁begin|>read{"path": "a"}<|tool▁calls▁end|>'],
  [
    'special tokens of a section',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  ['python tag', '<|python_tag|>read.call(path="a")<|eom_id|>'],
  ['a token pair', `<|tool_call|>[${CALL}]<|/tool_call|>`],
  ['TOOL_CALLS with a list', `[TOOL_CALLS] [${CALL}]`],
  ['TOOL_CALLS with a name', '[TOOL_CALLS]read{"path": "a"}'],
  ['TOOL_CALLS with ARGS', '[TOOL_CALLS]read[CALL_ID]a1b2[ARGS]{"path": "a"}'],
  ['two TOOL_CALLS', '[TOOL_CALLS]read{"path": "a"}[TOOL_CALLS]read{"path": "b"}'],
  ['TOOL_REQUEST', `[TOOL_REQUEST]\n${CALL}\n[END_TOOL_REQUEST]`],
  ['a tool_call fence', `\`\`\`tool_call\n${CALL}\n\`\`\``],
  ['a tool_code fence', '~~~tool_code\nread("a")\n~~~'],
  ['a JSON fence', `\`\`\`json\n${CALL}\n\`\`\``],
  ['a bare fence', `\`\`\`\n${CALL}\n\`\`\``],
]

const ORDINARY: readonly (readonly [what: string, text: string])[] = [
  ['prose', 'Done: 3 of 5 files.\n\n  - a < b && c > d\n  - [x] tests\n\n\nMissing: the docs.  '],
  ['HTML and generics', 'Use <b>Map<string, T></b> and <function> of <parameter> here.'],
  ['a parameter of ordinary XML', '<parameter name="rate" value="5"/>'],
  ['markup in inline code', 'It ends with `</tool_call>` and begins with ``<tool_call>{``.'],
  ['markup in a code block', '```xml\n<tool_call>{"name": "x", "arguments": {}}</tool_call>\n```\nThat is the form.'],
  ['markup in an open code block', '```xml\n<tool_call>{'],
  ['a JSON block of data', '```json\n{"name": "stint", "version": "1.0.0"}\n```'],
  ['a JSON block with a list of calls', `\`\`\`json\n[${CALL}]\n\`\`\``],
  ['a JSON block that is cut off', '```json\n{"name": "stint", "version": "1.'],
  ['code with a name', '```ts\nconst call = { name: "x", arguments: {} }\n```'],
  ['a longer fence around a fence', `\`\`\`\`md\n\`\`\`json\n${CALL}\n\`\`\`\n\`\`\`\``],
  ['markup in a fence inside a fence', '````md\n```\n<tool_call>{}</tool_call>\n```\n````'],
  ['other special tokens', 'The model stops at <|endoftext|> or <|im_end|>.'],
  ['a lower-case marker', 'The column [tool_calls] counts them.'],
  ['a tail like a tag', 'Write <to'],
  ['a tail like a marker', 'See [T'],
]

describe('stripToolMarkup', () => {
  it.each(KINDS)('E6: removes %s, alone and between paragraphs', (_, markup) => {
    expect(stripToolMarkup(markup)).toBe('')
    expect(stripToolMarkup(`What I have.\n\n${markup}\n\nWhat is missing.\n`)).toBe('What I have.\n\nWhat is missing.')
  })

  it.each(KINDS)('E6: removes %s wherever it is cut off', (_, markup) => {
    // Starts after the first name: before that, the markup can't be told from prose.
    const opening =
      /^(?:\[\w+\]|<[^<>]*>|.{3}(?:json)?\n\{"name": "read", "arguments":|.{3}\w+\n)/.exec(markup)?.[0].length ?? 0
    for (let end = opening; end < markup.length; end++) {
      expect(stripToolMarkup(`What I have.\n\n${markup.slice(0, end)}`)).toBe('What I have.')
    }
  })

  it.each([
    '<tool_ca',
    '<func',
    '<invo',
    '<x:invo',
    '</tool_call',
    '<|',
    '<｜tool▁ca',
    '<｜DSML｜func',
    '<invoke name="re',
  ])('E6: removes a tag that is cut off in its name: %s', (tail) => {
    expect(stripToolMarkup(`What I have. ${tail}`)).toBe('What I have.')
  })

  it.each(ORDINARY)('leaves %s alone', (_, text) => {
    expect(stripToolMarkup(text)).toBe(text)
  })

  it('E6: removes closing tags whose opening was lost', () => {
    expect(stripToolMarkup('Done.\n</x:parameter>\n</invoke>\n</function_calls></tool_call>')).toBe('Done.')
  })

  it('removes only the tag if prose mentions one', () => {
    expect(stripToolMarkup('I would have used a <tool_call> but may not.')).toBe('I would have used a but may not.')
    expect(stripToolMarkup('The [TOOL_CALLS] marker is gone.')).toBe('The marker is gone.')
  })

  it('keeps the rest of the line, and the indentation of the next', () => {
    expect(stripToolMarkup('A <tool_call>{}</tool_call> B<tool_call>{}</tool_call>C')).toBe('A BC')
    expect(stripToolMarkup('A\n<tool_call>{}</tool_call>\n\n    code')).toBe('A\n\n    code')
  })

  it('keeps prose unchanged, whatever is around it', () => {
    const prose = fc.array(fc.constantFrom('one', 'two.', '\n', '- three', 'a < b', '5 > 4', '`x`'), { minLength: 1 })
    fc.assert(
      fc.property(prose, fc.constantFrom(...KINDS), (words, [, markup]) => {
        const text = words.join(' ').trim()
        expect(stripToolMarkup(text)).toBe(text)
        expect(stripToolMarkup(`${text}\n\n${markup}`)).toBe(text)
      }),
    )
  })

  it.each([
    '<tool_call>',
    '<tool_call> a ',
    '<tool_call',
    '<tool_call>{}</tool_call>\n',
    '</tool_call>',
    '<｜tool▁calls▁begin｜>',
    '[TOOL_CALLS]',
    '[TOOL_CALLS] [',
    '[TOOL_CALLS]a{"b":1}',
    '```json\n',
    '```json\n{}\n```\n',
    '`',
    '` ``\n',
    '<',
    '<|',
    '\n ',
    '{"name":',
  ])('takes linear time for a hostile text of %j', async (piece) => {
    const texts = new Map([30_000, 300_000].map((length) => [length, piece.repeat(length / piece.length)]))
    // Ten times the text; quadratic would be a hundred times the work.
    expect(await growth((length) => stripToolMarkup(texts.get(length)!), 30_000, 300_000)).toBeLessThan(40)
  })
})
