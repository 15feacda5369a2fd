import type { AnswerReading } from '../../dialect.ts'

/** A parsed event or a whole answer, which is changed in place. */
export type MutableJson = Record<string, unknown>

/** What becomes of an event: it is passed on unchanged, rewritten, or kept from the client. */
export type Verdict = 'same' | 'changed' | 'dropped'

/** Reads an answer as it arrives and decides on each of its events. Never throws. */
export interface FollowedAnswer {
  /** A promise only while a tool call waits to be admitted. */
  follow(event: MutableJson): Verdict | Promise<Verdict>
  /** Events to send before the one that was followed last. Each is returned once. */
  before?(): readonly MutableJson[]
  /** Events that must still be sent: before the marker that ends a stream, or at its end. */
  rest(): readonly MutableJson[]
  /** The upstream said that the answer is complete. */
  markDone(): void
  /** An event that is not JSON, or that reports an error. */
  markError(): void
  reading(): AnswerReading
}
