import type { UsageReading } from '../../../pricing/index.ts'
import type { Dialect } from '../dialect.ts'

/** What the contract needs from a dialect: requests, recorded answers, and a client's reading of them. */
export interface DialectFixture {
  readonly dialect: Dialect
  /** A request with client tools, and the results of the calls `call_1` and `call_2` as its newest batch. */
  requestBody(options: RequestOptions): Buffer
  /** Answers as providers give them, with 0, 1 and several calls, with and without thinking. */
  readonly answers: readonly RecordedAnswer[]
  /** An answer with this text and no tool calls. Its stream has the text in several pieces. */
  textAnswer(text: string): { readonly stream: Buffer; readonly whole: Buffer }
  /** What the client reads of an answer. Throws if it is not well-formed. */
  readAnswer(bytes: Buffer, isStream: boolean): SeenAnswer
  /** How many tool calls can be found in these bytes, well-formed or not. */
  countCalls(bytes: Buffer, isStream: boolean): number
  /** Streams whose usage is missing, negative, repeated, cumulative or cut off (I4). */
  readonly usageTable: readonly UsageRow[]
}

export interface RequestOptions {
  readonly isStream: boolean
  readonly forcesTool?: boolean
  readonly asksForSchema?: boolean
  /** The newest results, by tool-call id. */
  readonly results?: Readonly<Record<string, string>>
}

export interface RecordedAnswer {
  readonly name: string
  readonly stream: Buffer
  readonly whole: Buffer
  /** The ids of its tool calls. */
  readonly calls: readonly string[]
  readonly text: string
  readonly usage: UsageReading['usage']
}

export interface SeenAnswer {
  readonly calls: readonly string[]
  readonly text: string
  /** Why it ended, in the terms of the contract. */
  readonly stop: 'end' | 'calls' | 'cap' | 'other'
}

export interface UsageRow {
  readonly name: string
  readonly isStream: boolean
  readonly bytes: Buffer
  /** `null`: unknown, so the known input and the whole cap are charged. */
  readonly reading: UsageReading | null
  readonly partialUsage?: unknown
}

/** One row of that table. */
export function usageRow(name: string, text: string, reading: UsageRow['reading'], isStream = true): UsageRow {
  return { name, isStream, bytes: Buffer.from(text), reading }
}
