import { completeUsage } from '../../../pricing/index.ts'
import { describeDialect } from '../contract/describe-dialect.fixture.ts'
import { type RequestOptions, type SeenAnswer, usageRow } from '../contract/dialect-fixture.fixture.ts'
import { dataIn, parsed, type Seen } from '../contract/play-answer.fixture.ts'
import { openAiChat } from './index.ts'
import { AGENT_REQUEST, callAnswer, callStream, choice, chunk, endOfStream, USAGE } from './openai-chat.fixture.ts'

const READ_USAGE = completeUsage({
  inputTokens: 40,
  cacheReadTokens: 60,
  outputTokens: 20,
  reasoningTokens: 8,
  audioInputTokens: 0,
  audioCacheReadTokens: 0,
})

describeDialect({
  dialect: openAiChat,
  requestBody,
  answers: [
    answer('a text', 0, 'It is done — grüße.'),
    answer('one call', 1, ''),
    answer('a text and three calls', 3, 'Let me look.'),
    {
      ...answer('thoughts and two calls', 2, 'So.'),
      stream: Buffer.from(chunk([choice({ reasoning_content: 'Hm.' })]) + callStream(2, 'So.') + endOfStream()),
    },
  ],
  textAnswer: (text) => ({
    stream: Buffer.from(
      [...(text.match(/.{1,7}/gsu) ?? [])].map((content) => chunk([choice({ content })])).join('') +
        chunk([choice({}, 'stop')]) +
        endOfStream(),
    ),
    whole: Buffer.from(callAnswer(0, text)),
  }),
  readAnswer,
  countCalls: (bytes, isStream) =>
    new Set((isStream ? dataIn(bytes) : [parsed(bytes.toString())]).flatMap(callsIn)).size,
  usageTable: [
    usageRow('a whole answer', callAnswer(0, 'a'), { usage: READ_USAGE, anomalies: [] }, false),
    usageRow('a whole answer without usage', callAnswer(0, 'a', { usage: undefined }), null, false),
    usageRow('a stream', callStream(0, 'a') + endOfStream(), { usage: READ_USAGE, anomalies: [] }),
    usageRow('a stream without usage', callStream(0, 'a') + endOfStream(null), null),
    usageRow('usage twice', callStream(0, 'a') + chunk([], { usage: USAGE }) + endOfStream(), {
      usage: READ_USAGE,
      anomalies: [],
    }),
    usageRow('negative usage', callStream(0, 'a') + endOfStream({ ...USAGE, completion_tokens: -1 }), {
      usage: null,
      anomalies: [{ kind: 'malformed', field: 'completion_tokens', value: -1 }],
    }),
    usageRow('usage cut off', (callStream(0, 'a') + endOfStream()).slice(0, -40), null),
  ],
})

function requestBody({ isStream, forcesTool = false, asksForSchema = false, results = {} }: RequestOptions): Buffer {
  const text = JSON.stringify({
    ...AGENT_REQUEST,
    stream: isStream,
    ...(forcesTool ? { tool_choice: 'required' } : {}),
    ...(asksForSchema ? { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } } } : {}),
  })
  const filled = text
    .replace('"content":"alpha"', `"content":${JSON.stringify(results.call_1 ?? 'alpha')}`)
    .replace('"text":"beta"', `"text":${JSON.stringify(results.call_2 ?? 'beta')}`)
  return Buffer.from(filled.replaceAll('call_a', 'call_1').replaceAll('call_b', 'call_2'))
}

function answer(name: string, calls: number, text: string) {
  return {
    name,
    stream: Buffer.from(callStream(calls, text) + endOfStream()),
    whole: Buffer.from(callAnswer(calls, text === '' ? null : text)),
    calls: Array.from({ length: calls }, (_, index) => `call_${index}`),
    text,
    usage: READ_USAGE,
  }
}

function callsIn(chunkOrAnswer: Seen): readonly string[] {
  const choices: Seen[] = Array.isArray(chunkOrAnswer?.choices) ? chunkOrAnswer.choices : []
  return choices.flatMap(({ index, delta, message }) =>
    ((delta ?? message)?.tool_calls ?? []).map((call: Seen, at: number) => `${index}/${call.index ?? at}`),
  )
}

const STOPS: Readonly<Record<string, SeenAnswer['stop']>> = { stop: 'end', tool_calls: 'calls', length: 'cap' }

function readAnswer(bytes: Buffer, isStream: boolean): SeenAnswer {
  const parts = isStream ? dataIn(bytes) : [JSON.parse(bytes.toString())]
  if (isStream && !bytes.toString().endsWith('data: [DONE]\n\n')) throw new Error('The stream has no end.')
  const choices: Seen[] = parts.flatMap((part) => part.choices)
  const said = choices.map(({ delta, message }) => delta ?? message)
  const calls = said.flatMap(({ tool_calls: toolCalls = [] }) => toolCalls).flatMap(({ id }) => id ?? [])
  const reason: string = choices.map(({ finish_reason: finish }) => finish).findLast((finish) => finish !== null)
  return { calls, text: said.map(({ content }) => content ?? '').join(''), stop: STOPS[reason] ?? 'other' }
}
