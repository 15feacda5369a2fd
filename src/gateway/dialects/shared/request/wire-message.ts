import type { MediaFile } from '../../../../governor/edge.ts'
import type { ChainedDigest, PromptPart } from '../../../../loop/request-view.ts'
import type { CacheMark } from '../../../../pricing/index.ts'
import { type JsonShape, type JsonSpan, moved, readJson } from '../../../json/index.ts'
import { longerMark } from './cache-marks.ts'
import type { FoundMedia } from './encoded-file.ts'
import type { JsonObject } from './json-value.ts'
import type { ResultSource } from './wire-result.ts'

/** A message as read from a body. */
export interface MessageContent {
  readonly body: Buffer
  readonly value: JsonObject
  readonly span: JsonSpan
}

/** What a dialect reads from a message. */
export interface MessageFacts {
  readonly kind: PromptPart['kind']
  /** Unaffected by a cache mark that moves. */
  readonly digest: string
  readonly media: readonly FoundMedia[]
  readonly cacheMark: CacheMark
  /** The tools that it adds to those of the request. */
  readonly adds?: { readonly clientTools: boolean; readonly providerTools: boolean }
}

/** How a dialect reads its messages. */
export interface MessageReader {
  /** The parts of a message that are located. */
  readonly shape: JsonShape
  /** Several messages of the model in a row count as one. */
  readonly joinsAnswers: boolean
  /** Throws `BadRequestError`. */
  read(content: MessageContent, index: number): MessageFacts
  textOf(content: MessageContent): string
  /** The tool results in a message. */
  resultsOf(content: MessageContent, index: number): readonly ResultSource[]
}

/** The conversation up to one of its messages. */
export interface ConversationSoFar {
  readonly values: number
  readonly messages: number
  readonly results: number
  readonly cacheMark: CacheMark
  readonly hasMedia: boolean
  readonly addsClientTools: boolean
  readonly addsProviderTools: boolean
}

const EMPTY: ConversationSoFar = {
  values: 0,
  messages: 0,
  results: 0,
  cacheMark: 'none',
  hasMedia: false,
  addsClientTools: false,
  addsProviderTools: false,
}
const NO_MEDIA: readonly MediaFile[] = []

/**
 * One message of a conversation, as a part of its prompt. A later request that begins with the same bytes reuses the
 * same message objects; their contents are released then, and read again from the newest body if needed.
 */
export class WireMessage implements PromptPart {
  readonly kind: PromptPart['kind']
  readonly digest: string
  readonly bytes: number
  readonly media: readonly MediaFile[]
  readonly index: number
  readonly start: number
  readonly end: number
  readonly soFar: ConversationSoFar
  chained: ChainedDigest | null
  readonly #reader: MessageReader
  #source: { readonly bytes: Buffer } | null
  #content: MessageContent | null

  constructor(reader: MessageReader, content: MessageContent, results: number, before: WireMessage | undefined) {
    const { start, end, values } = content.span
    const index = before === undefined ? 0 : before.index + 1
    const { kind, digest, media, cacheMark, adds } = reader.read(content, index)
    const { soFar } = before ?? { soFar: EMPTY }
    const goesOn = reader.joinsAnswers && kind === 'assistant' && before?.kind === 'assistant'
    this.kind = kind
    this.digest = digest
    let bytes = end - start
    for (const { bodyBytes } of media) bytes -= bodyBytes
    this.bytes = Math.max(0, bytes)
    this.media = media.length === 0 ? NO_MEDIA : media.map(({ part }) => part)
    this.index = index
    this.start = start
    this.end = end
    this.soFar = {
      values: soFar.values + values,
      messages: soFar.messages + (kind === 'system' || goesOn ? 0 : 1),
      results: soFar.results + results,
      cacheMark: longerMark(soFar.cacheMark, cacheMark),
      hasMedia: soFar.hasMedia || media.length > 0,
      addsClientTools: soFar.addsClientTools || adds?.clientTools === true,
      addsProviderTools: soFar.addsProviderTools || adds?.providerTools === true,
    }
    this.chained = null
    this.#reader = reader
    this.#source = null
    this.#content = content
  }

  text(): string {
    return this.#reader.textOf(this.content())
  }

  results(): readonly ResultSource[] {
    return this.#reader.resultsOf(this.content(), this.index)
  }

  content(): MessageContent {
    return this.#content ?? this.#readAgain()
  }

  /** From now on it is read from `source` if needed: otherwise each request would keep all earlier ones in memory. */
  letGo(source: { readonly bytes: Buffer }): void {
    this.#source = source
    this.#content = null
  }

  #readAgain(): MessageContent {
    const body = this.#source!.bytes
    const { value, root } = readJson(body.subarray(this.start, this.end), this.#reader.shape)
    return { body, value, span: moved(root, this.start) }
  }
}
