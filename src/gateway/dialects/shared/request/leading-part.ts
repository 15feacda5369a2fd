import type { PromptPart } from '../../../../loop/request-view.ts'
import type { JsonBody, JsonSpan } from '../../../json/index.ts'
import type { FoundMedia } from './encoded-file.ts'
import type { JsonObject } from './json-value.ts'

interface LeadingPart extends Pick<PromptPart, 'kind' | 'digest' | 'tools'> {
  /** Default: its bytes. */
  readonly text?: () => string
  readonly media?: readonly FoundMedia[]
}

/** A field of a body as a part of the prompt. Its bytes are copied, so that it does not keep a whole body in memory. */
export function leadingPart({ bytes: body }: JsonBody, { start, end }: JsonSpan, part: LeadingPart): PromptPart {
  const own = part.text === undefined ? Buffer.from(body.subarray(start, end)) : null
  const { text = () => String(own), media = [], ...others } = part
  const bytes = media.reduce((left, { bodyBytes }) => left - bodyBytes, end - start)
  return { ...others, text, bytes: Math.max(0, bytes), media: media.map((found) => found.part) }
}

/** These fields of a request as one text; empty if it has none of them. */
export function promptVariant(body: JsonObject, fields: readonly string[]): string {
  const present = fields.filter((field) => (body[field] ?? null) !== null)
  return present.length === 0 ? '' : JSON.stringify(present.map((field) => [field, body[field]]))
}
