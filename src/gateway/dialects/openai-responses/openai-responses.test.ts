import { completeUsage } from '../../../pricing/index.ts'
import { describeDialect } from '../contract/describe-dialect.fixture.ts'
import { type RequestOptions, type SeenAnswer, usageRow } from '../contract/dialect-fixture.fixture.ts'
import { dataIn, parsed, type Seen } from '../contract/play-answer.fixture.ts'
import { openAiResponses } from './index.ts'
import { AGENT_REQUEST, eventsOf, responseOf, type ScriptedOutput, streamOf } from './openai-responses.fixture.ts'

const READ_USAGE = completeUsage({ inputTokens: 40, cacheReadTokens: 60, outputTokens: 20, reasoningTokens: 8 })

describeDialect({
  dialect: openAiResponses,
  requestBody,
  answers: [
    answer('a text', { text: 'It is done — grüße.' }),
    answer('one call', { calls: 1 }),
    answer('a text and three calls', { calls: 3, text: 'Let me look.' }),
    answer('calls with thoughts between them', { calls: 2, more: [{ id: 'rs_3', type: 'reasoning', summary: [] }] }),
  ],
  textAnswer: (text) => ({
    stream: Buffer.from(streamOf(eventsOf({ text }))),
    whole: Buffer.from(JSON.stringify(responseOf({ text }))),
  }),
  readAnswer,
  countCalls: (bytes, isStream) => {
    const seen = isStream ? dataIn(bytes) : [parsed(bytes.toString())]
    return new Set(
      seen.flatMap((event) => [event?.item, ...listOf(event?.response), ...listOf(event)].flatMap(callIdOf)),
    ).size
  },
  usageTable: [
    usageRow('a whole answer', JSON.stringify(responseOf({ text: 'a' })), { usage: READ_USAGE, anomalies: [] }, false),
    usageRow('a whole answer without usage', JSON.stringify(responseOf({ usage: null })), null, false),
    usageRow('a stream', streamOf(eventsOf({ text: 'a' })), { usage: READ_USAGE, anomalies: [] }),
    usageRow('a stream without usage', streamOf(eventsOf({ text: 'a', usage: null })), null),
    usageRow('an incomplete answer', streamOf(eventsOf({ end: 'response.incomplete' })), {
      usage: READ_USAGE,
      anomalies: [],
    }),
    usageRow('negative usage', streamOf(eventsOf({ usage: { input_tokens: -1, output_tokens: 1 } })), {
      usage: null,
      anomalies: [{ kind: 'malformed', field: 'input_tokens', value: -1 }],
    }),
    usageRow('usage cut off', streamOf(eventsOf({ text: 'a' })).slice(0, -40), null),
  ],
})

function requestBody({ isStream, forcesTool = false, asksForSchema = false, results = {} }: RequestOptions): Buffer {
  const text = JSON.stringify({
    ...AGENT_REQUEST,
    stream: isStream,
    max_output_tokens: 4_096,
    ...(forcesTool ? { tool_choice: 'required' } : {}),
    ...(asksForSchema ? { text: { format: { type: 'json_schema', name: 'x', schema: {} } } } : {}),
  })
  const filled = text
    .replace('"output":"alpha"', `"output":${JSON.stringify(results.call_1 ?? 'alpha')}`)
    .replace('"text":"beta"', `"text":${JSON.stringify(results.call_2 ?? 'beta')}`)
  return Buffer.from(filled.replaceAll('call_a', 'call_1').replaceAll('call_b', 'call_2'))
}

function answer(name: string, script: ScriptedOutput) {
  return {
    name,
    stream: Buffer.from(streamOf(eventsOf(script))),
    whole: Buffer.from(JSON.stringify(responseOf(script))),
    calls: Array.from({ length: script.calls ?? 0 }, (_, index) => `call_${index}`),
    text: script.text ?? '',
    usage: READ_USAGE,
  }
}

function listOf(response: Seen): readonly Seen[] {
  return Array.isArray(response?.output) ? response.output : []
}

function callIdOf(item: Seen): readonly string[] {
  return typeof item?.call_id === 'string' ? [item.call_id] : []
}

function readAnswer(bytes: Buffer, isStream: boolean): SeenAnswer {
  const events = isStream ? dataIn(bytes) : []
  const response: Seen = isStream ? events.at(-1).response : JSON.parse(bytes.toString())
  const text = listOf(response)
    .flatMap(({ content = [] }) => content)
    .map((part: Seen) => part.text ?? '')
    .join('')
  if (isStream) {
    const streamed = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta)
    if (streamed.join('') !== text) throw new Error('The pieces are not the whole.')
    if (events.some((event, index) => event.sequence_number !== index)) throw new Error('The numbers have gaps.')
  }
  const calls = listOf(response).flatMap(callIdOf)
  if (response.status !== 'completed') return { calls, text, stop: response.status === 'incomplete' ? 'cap' : 'other' }
  return { calls, text, stop: calls.length > 0 ? 'calls' : 'end' }
}
