import type { AnswerReading } from '../dialect.ts'

/** A parsed event or a whole answer, which is changed in place. */
export type MutableJson = Record<string, unknown>

/** What becomes of an event: it goes on byte by byte, is written anew, or does not reach the client. */
export type Verdict = 'same' | 'changed' | 'dropped'

/** Reads an answer as it comes and decides on each of its events. Never throws. */
export interface FollowedAnswer {
  /** A promise only while a tool call waits to be admitted. */
  follow(event: MutableJson): Verdict | Promise<Verdict>
  /** Events that go before the one that was followed last. Each is handed out once. */
  before?(): readonly MutableJson[]
  /** Events that must still be sent: before the mark that ends a stream, or where it ends without one. */
  rest(): readonly MutableJson[]
  /** The upstream said that this was all. */
  markDone(): void
  /** An event that is no JSON, or one that says it is an error. */
  markError(): void
  reading(): AnswerReading
}
