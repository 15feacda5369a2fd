import type { MediaFile } from '../../../governor/edge.ts'
import type { PromptPart } from '../../../loop/request-view.ts'
import type { FoundMedia } from './encoded-file.ts'

export interface PartSource {
  readonly kind: PromptPart['kind']
  /** How many bytes of the body it is. */
  readonly bodyBytes: number
  readonly digest: () => string
  readonly media: () => readonly FoundMedia[]
  readonly text: () => string
  readonly tools?: PromptPart['tools']
}

const NO_MEDIA: readonly MediaFile[] = []

/** A part of the prompt of which nothing is hashed or read before somebody asks. */
// A class: a long conversation has ten thousands of them, and an object with getters of its own takes ten times as long.
export class LazyPart implements PromptPart {
  readonly kind: PromptPart['kind']
  readonly tools?: NonNullable<PromptPart['tools']>
  readonly #source: PartSource
  #digest: string | null = null
  #found: readonly FoundMedia[] | null = null

  constructor(source: PartSource) {
    this.kind = source.kind
    this.#source = source
    if (source.tools !== undefined) this.tools = source.tools
  }

  get digest(): string {
    this.#digest ??= this.#source.digest()
    return this.#digest
  }

  get bytes(): number {
    const found = this.#media()
    if (found.length === 0) return this.#source.bodyBytes
    return Math.max(
      0,
      found.reduce((left, { bodyBytes }) => left - bodyBytes, this.#source.bodyBytes),
    )
  }

  get media(): readonly MediaFile[] {
    const found = this.#media()
    return found.length === 0 ? NO_MEDIA : found.map(({ part }) => part)
  }

  text(): string {
    return this.#source.text()
  }

  #media(): readonly FoundMedia[] {
    this.#found ??= this.#source.media()
    return this.#found
  }
}
