import type { AnswerReading, Dialect, RelayOptions, WireRequest } from '../dialect.ts'

export interface Played {
  readonly bytes: Buffer
  readonly reading: AnswerReading
}

const PASSIVE: RelayOptions = { admitToolCall: null, hidesUsage: false, isClosing: false, isEventStream: true }

/** Sends an answer through a relay in these pieces, as a gateway would. */
export async function playAnswer(
  dialect: Dialect,
  request: WireRequest,
  pieces: readonly Buffer[],
  options: Partial<RelayOptions> = {},
): Promise<Played> {
  const relay = dialect.relayAnswer(request, { ...PASSIVE, ...options })
  const sent: Buffer[] = []
  for (const piece of pieces) sent.push(await relay.push(piece))
  sent.push(await relay.end())
  return { bytes: Buffer.concat(sent), reading: relay.reading() }
}

/** Admits the first `most` calls; `asked` gets the id of each that was asked for. */
export function admitFirst(most: number, asked: string[] = []): NonNullable<RelayOptions['admitToolCall']> {
  return async ({ id }) => asked.push(id) <= most
}

/** The bytes cut at these places, in any order. */
export function cutAt(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const ordered = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return ordered.slice(1).map((end, index) => bytes.subarray(ordered[index], end))
}

/** A stream by its events, each with the empty line that ends it. */
export function eventsIn(stream: Buffer): readonly string[] {
  return stream
    .toString('utf8')
    .split(/(?<=\n\n)/)
    .filter((event) => event !== '')
}

/** The same stream with other line ends. */
export function withLineEnds(stream: Buffer, lineEnd: '\r\n' | '\r'): Buffer {
  return Buffer.from(stream.toString('utf8').replaceAll('\n', lineEnd))
}

// biome-ignore lint/suspicious/noExplicitAny: what a client would see.
export type Seen = any

/** Everything that can be read as JSON in the events of a stream; mangled data is left out. */
export function dataIn(stream: Buffer): readonly Seen[] {
  return stream
    .toString('utf8')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.startsWith('data: {'))
    .flatMap((line) => parsed(line.slice(6)) ?? [])
}

/** `null` if it is not JSON. */
export function parsed(text: string): Seen {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
