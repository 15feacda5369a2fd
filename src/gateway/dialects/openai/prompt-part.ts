import { hash } from 'node:crypto'
import type { PromptPart } from '../../../loop/request-view.ts'
import type { FoundMedia } from '../request/encoded-file.ts'
import { type JsonObject, objectFrom } from '../request/json-value.ts'
import { LazyPart } from '../request/lazy-part.ts'
import { mediaFrom, spokenFrom } from './media-part.ts'

const CACHE_MARKS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint'])
const MARK_BYTES = Array.from(CACHE_MARKS, (mark) => Buffer.from(mark))

export interface PartSource {
  readonly kind: PromptPart['kind']
  /** The bytes of the body that it stands in. */
  readonly bytes: Buffer
  /** The same as a value. */
  readonly value: unknown
  /** The parts of its content, which may be media. */
  readonly contents: readonly JsonObject[]
  readonly text: () => string
  /** The tools that it is. */
  readonly tools?: readonly JsonObject[]
}

/** A part of the prompt. Its digest stays when a cache mark moves. Nothing is hashed before somebody asks. */
export function promptPart({ kind, bytes, value, contents, text, tools }: PartSource): PromptPart {
  return new LazyPart({
    kind,
    bodyBytes: bytes.length,
    digest: () => partDigest(bytes, value),
    media: () => partMedia(value, contents),
    text,
    ...(tools === undefined ? {} : { tools: { toolCount: tools.length, definedTools: definedTools(tools) } }),
  })
}

const fieldParts = new WeakMap<object, PromptPart>()

/**
 * A field of the body as a part of the prompt. The same value is the same part: it is taken over from an earlier request
 * with the same bytes, and so is its digest. The bytes are copied, so that it does not keep a whole body in memory.
 */
export function fieldPart(
  kind: PromptPart['kind'],
  value: object,
  bytes: Buffer,
  tools?: readonly JsonObject[],
): PromptPart {
  const known = fieldParts.get(value)
  if (known !== undefined) return known
  const own = Buffer.from(bytes)
  const source = { kind, bytes: own, value, contents: [], text: () => own.toString() }
  const part = promptPart(tools === undefined ? source : { ...source, tools })
  fieldParts.set(value, part)
  return part
}

// Whoever sends these writes down all that the model reads of them.
const WRITTEN_OUT: ReadonlySet<unknown> = new Set([undefined, 'function', 'custom', 'namespace'])

function definedTools(tools: readonly JsonObject[]): readonly string[] {
  return tools.flatMap(({ type }) => (WRITTEN_OUT.has(type) ? [] : [String(type)]))
}

const NO_MEDIA: readonly FoundMedia[] = []

/** The media of a part, whose `contents` may be such. */
export function partMedia(value: unknown, contents: readonly JsonObject[]): readonly FoundMedia[] {
  const spoken = spokenFrom(objectFrom(value) ?? {})
  if (spoken === null && contents.length === 0) return NO_MEDIA
  return [...contents.flatMap((content) => mediaFrom(content) ?? []), ...(spoken === null ? [] : [spoken])]
}

/** What is in no body: a conversation, a template or a file that the provider keeps. */
export function unseenPart(kind: PromptPart['kind'], id: string): PromptPart {
  return { kind, digest: sha256(`unseen ${id}`), text: () => '', bytes: 0, media: [{ kind: 'other', bytes: null }] }
}

/** Stays when a cache mark moves. */
export function partDigest(bytes: Buffer, value: unknown): string {
  if (!MARK_BYTES.some((mark) => bytes.includes(mark))) return sha256(bytes)
  return sha256(JSON.stringify(value, (key, inner) => (CACHE_MARKS.has(key) ? undefined : inner)))
}

export function sha256(data: string | Buffer): string {
  return hash('sha256', data, 'base64')
}
