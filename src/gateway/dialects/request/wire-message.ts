import type { MediaFile } from '../../../governor/edge.ts'
import type { ChainedDigest, PromptPart } from '../../../loop/request-view.ts'
import type { CacheMark } from '../../../pricing/index.ts'
import type { JsonSpan } from '../../json/index.ts'
import type { FoundMedia } from './encoded-file.ts'
import type { JsonObject } from './json-value.ts'
import type { ResultSource } from './wire-result.ts'

/** A message as it stands in a body. */
export interface MessagePlace {
  readonly body: Buffer
  readonly value: JsonObject
  readonly span: JsonSpan
  readonly index: number
}

const NO_MEDIA: readonly MediaFile[] = []

/**
 * One message of a conversation, as a part of its prompt and with its tool results. Each thing about it is read when it
 * is first asked for, and kept: a later request that begins with the same bytes has the very same messages.
 */
// A class: a long conversation has ten thousands of them, and an object with getters of its own takes ten times as long.
export abstract class WireMessage implements PromptPart {
  readonly kind: PromptPart['kind']
  readonly value: JsonObject
  readonly span: JsonSpan
  readonly index: number
  chained: ChainedDigest | null = null
  #body: Buffer | null
  #digest: string | null = null
  #found: readonly FoundMedia[] | null = null
  #cacheMark: CacheMark | null = null

  constructor(kind: PromptPart['kind'], { body, value, span, index }: MessagePlace) {
    this.kind = kind
    this.value = value
    this.span = span
    this.index = index
    this.#body = body
  }

  abstract text(): string
  /** The tool results in it. */
  abstract results(): readonly ResultSource[]
  /** Stays when a cache mark moves. */
  protected abstract readDigest(body: Buffer): string
  protected abstract readMedia(): readonly FoundMedia[]
  protected abstract readCacheMark(): CacheMark

  get digest(): string {
    this.#digest ??= this.readDigest(this.#body!)
    return this.#digest
  }

  get bytes(): number {
    const { start, end } = this.span
    const found = this.#media()
    if (found.length === 0) return end - start
    return Math.max(
      0,
      found.reduce((left, { bodyBytes }) => left - bodyBytes, end - start),
    )
  }

  get media(): readonly MediaFile[] {
    const found = this.#media()
    return found.length === 0 ? NO_MEDIA : found.map(({ part }) => part)
  }

  get cacheMark(): CacheMark {
    this.#cacheMark ??= this.readCacheMark()
    return this.#cacheMark
  }

  /** The body is not needed any more: otherwise each request would keep all those before it in memory. */
  letGoOfBody(): void {
    if (this.#body === null) return
    this.#digest ??= this.readDigest(this.#body)
    this.#body = null
  }

  #media(): readonly FoundMedia[] {
    this.#found ??= this.readMedia()
    return this.#found
  }
}
