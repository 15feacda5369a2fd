import { type JsonEdits, type JsonSpan, memberOf } from '../../../json/index.ts'
import { type JsonObject, objectFrom } from './json-value.ts'

/** Replaces a tool result that had to be dropped. */
export const LEFT_OUT = '[left out, so that the closing answer fits into the budget]'

export interface ResultEdits {
  readonly hint: string | null
  /** See `RequestEdits`. */
  readonly defused: ReadonlyMap<string, string> | undefined
  readonly isLeftOut: boolean
}

export interface ResultPlace {
  /** The object with the result's text, and its name there. */
  readonly holder: JsonSpan
  readonly value: JsonObject
  readonly field: string
  /** The type of a text part in a list: `text` or `input_text`. */
  readonly textType: string
}

/** Changes the text of one tool result: a string, a list of parts, or nothing yet. */
export function editResult(edits: JsonEdits, place: ResultPlace, { hint, defused, isLeftOut }: ResultEdits): void {
  const { holder, value, field, textType } = place
  const span = memberOf(holder, field)
  const content = value[field]
  if (isLeftOut) edits.setMember(holder, field, JSON.stringify(withHint(LEFT_OUT, hint)))
  else if (span === null || content === null || content === '') {
    if (hint !== null) edits.setMember(holder, field, JSON.stringify(hint))
  } else if (typeof content === 'string') editText(edits, span, content, { hint, defused })
  else if (Array.isArray(content)) {
    content.forEach((part, index) => {
      const text = objectFrom(part)?.text
      const textSpan = memberOf(span.elements[index], 'text')
      if (typeof text === 'string' && textSpan !== null) editText(edits, textSpan, text, { hint: null, defused })
    })
    if (hint !== null) edits.appendElement(span, JSON.stringify({ type: textType, text: hint }))
  }
}

/** The texts of one tool result that `editResult` may change. */
export function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part) => {
    const text = objectFrom(part)?.text
    return typeof text === 'string' ? [text] : []
  })
}

/** Changes a string in place. */
export function editText(
  edits: JsonEdits,
  span: JsonSpan,
  text: string,
  { hint, defused }: Pick<ResultEdits, 'hint' | 'defused'>,
): void {
  const harmless = defused?.get(text)
  if (harmless !== undefined) edits.replace(span, JSON.stringify(withHint(harmless, hint)))
  else if (hint !== null) edits.appendText(span, text === '' ? hint : `\n\n${hint}`)
}

function withHint(text: string, hint: string | null): string {
  return hint === null ? text : `${text}\n\n${hint}`
}
