import { completeUsage, type Usage, type UsageReading } from '../../../pricing/index.ts'
import type { UsageRow } from '../contract/dialect-fixture.fixture.ts'

const START = { input_tokens: 100, cache_read_input_tokens: 20, cache_creation_input_tokens: 5, output_tokens: 1 }
const KNOWN_INPUT = { inputTokens: 100, cacheReadTokens: 20, cacheWriteTokens: 5, cacheWrite1hTokens: 0 }

const event = (data: { readonly type: string; readonly [field: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
const start = (usage: unknown) => event({ type: 'message_start', message: { content: [], usage } })
const delta = (usage: unknown, stop_reason: string | null = 'end_turn') =>
  event({ type: 'message_delta', delta: { stop_reason }, ...(usage === undefined ? {} : { usage }) })
const STOP = event({ type: 'message_stop' })

const known = (usage: Partial<Usage>): UsageReading => ({ usage: completeUsage(usage), anomalies: [] })
const strange = (kind: 'missing' | 'malformed' | 'inconsistent', field: string, value?: unknown): UsageReading => ({
  usage: null,
  anomalies: [{ kind, field, value }],
})
const ofInput = (outputTokens: number) =>
  known({ inputTokens: 100, cacheReadTokens: 20, cacheWriteTokens: 5, outputTokens })

const streamed = (
  name: string,
  parts: readonly string[],
  reading: UsageReading | null,
  partialUsage?: unknown,
): UsageRow => ({
  name,
  isStream: true,
  bytes: Buffer.from(parts.join('')),
  reading,
  partialUsage,
})
const whole = (name: string, usage: unknown, reading: UsageReading | null): UsageRow => ({
  name,
  isStream: false,
  bytes: Buffer.from(JSON.stringify({ type: 'message', content: [], stop_reason: 'end_turn', usage })),
  reading,
})

/** Written by hand from the provider's documentation: output counts are cumulative, and the last one wins. */
export const USAGE_TABLE: readonly UsageRow[] = [
  streamed('the last output count wins', [start(START), delta({ output_tokens: 40 }), STOP], ofInput(40)),
  streamed(
    'counts that grow are never added',
    [
      start(START),
      delta({ output_tokens: 10 }, null),
      delta({ output_tokens: 25 }, null),
      delta({ output_tokens: 40 }),
      STOP,
    ],
    ofInput(40),
  ),
  streamed(
    'a count that is repeated counts once',
    [start(START), delta({ output_tokens: 40 }), delta({ output_tokens: 40 }), STOP],
    ofInput(40),
  ),
  streamed(
    'the input of the last event wins, and null says nothing',
    [
      start(START),
      delta({ input_tokens: 300, cache_read_input_tokens: null, cache_creation_input_tokens: 0, output_tokens: 7 }),
      STOP,
    ],
    known({ inputTokens: 300, cacheReadTokens: 20, outputTokens: 7 }),
  ),
  streamed(
    'a new sum of cache writes has no parts of the old one',
    [
      start({ ...START, cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 4 } }),
      delta({ cache_creation_input_tokens: 9, output_tokens: 7 }),
      STOP,
    ],
    known({ inputTokens: 100, cacheReadTokens: 20, cacheWriteTokens: 9, outputTokens: 7 }),
  ),
  streamed(
    'counts that fall are not believed, but a prompt may be split in another way',
    [
      start({ ...START, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }),
      delta({ input_tokens: 40, cache_read_input_tokens: 60, output_tokens: 7 }, null),
      delta({ input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 }),
      STOP,
    ],
    known({ inputTokens: 40, cacheReadTokens: 60, outputTokens: 7 }),
  ),
  streamed(
    'an input that was never told is missing',
    [delta({ output_tokens: 7 }), STOP],
    strange('missing', 'input_tokens'),
  ),
  streamed(
    'an output that was never told is missing',
    [start(START), delta(undefined), STOP],
    strange('missing', 'output_tokens'),
  ),
  streamed('an end without any count is missing its output', [start(START), STOP], strange('missing', 'output_tokens')),
  streamed('no usage at all is nothing', [start(undefined), delta(undefined), STOP], null, null),
  streamed(
    'a negative count is an anomaly',
    [start(START), delta({ output_tokens: -4 }), STOP],
    strange('malformed', 'output_tokens', -4),
  ),
  streamed(
    'a string is not a count',
    [start(START), delta({ output_tokens: '40' }), STOP],
    strange('malformed', 'output_tokens', '40'),
  ),
  streamed(
    'a count above 2^53 is an anomaly',
    [start({ ...START, input_tokens: 2 ** 53 }), delta({ output_tokens: 4 }), STOP],
    strange('malformed', 'input_tokens', 2 ** 53),
  ),
  streamed(
    'a usage that is not an object is an anomaly',
    [start(START), delta('many'), STOP],
    strange('malformed', 'usage', 'many'),
  ),
  streamed(
    'a malformed count that is corrected later is none',
    [start(START), delta({ output_tokens: -1 }, null), delta({ output_tokens: 9 }), STOP],
    ofInput(9),
  ),
  streamed('cut off after the start, the output is not known', [start(START)], null, KNOWN_INPUT),
  streamed(
    'cut off after a count on the way, the output is not known',
    [start(START), delta({ output_tokens: 10 }, null)],
    null,
    KNOWN_INPUT,
  ),
  streamed('cut off behind the last count, all is known', [start(START), delta({ output_tokens: 40 })], ofInput(40)),
  streamed('cut off before anything was said, nothing is known', [event({ type: 'ping' })], null, null),
  whole('a whole answer says it once', { ...START, output_tokens: 40 }, ofInput(40)),
  whole('a whole answer without usage says nothing', undefined, null),
  whole('a whole answer with half of it is missing the rest', { input_tokens: 3 }, strange('missing', 'output_tokens')),
  whole(
    'a whole answer with a negative count is an anomaly',
    { ...START, input_tokens: -1 },
    strange('malformed', 'input_tokens', -1),
  ),
]
