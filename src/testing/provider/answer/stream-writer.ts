import type { StreamPiece } from './answer.ts'

/** Collects the events of a stream, and counts the output as a reader would see it. */
export interface StreamWriter {
  /** An event; with a name it has an `event:` line. */
  send(data: unknown, name?: string): void
  /** The output of the following events. */
  count(outputTokens: number): void
  readonly outputTokens: number
  readonly pieces: readonly StreamPiece[]
}

/** An empty stream. */
export function createStreamWriter(): StreamWriter {
  const pieces: StreamPiece[] = []
  let outputTokens = 0
  return {
    pieces,
    get outputTokens() {
      return outputTokens
    },
    count(more) {
      outputTokens += more
    },
    send(data, name) {
      pieces.push({ text: eventText(data, name), outputTokens })
    },
  }
}

/** One event in wire format. */
export function eventText(data: unknown, name?: string): string {
  const written = typeof data === 'string' ? data : JSON.stringify(data)
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${written}\n\n`
}
