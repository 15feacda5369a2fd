import { defuse } from '../../../governor/index.ts'
import { type JsonEdits, type JsonSpan, memberOf } from '../../json/index.ts'
import { type JsonObject, objectFrom } from './json-value.ts'

/** Stands for a tool result that had to go. */
export const LEFT_OUT = '[left out, so that the closing answer fits into the budget]'

export interface ResultEdits {
  readonly hint: string | null
  readonly defuses: boolean
  readonly isLeftOut: boolean
}

export interface ResultPlace {
  /** The object that holds the result's text, and its name there. */
  readonly holder: JsonSpan
  readonly value: JsonObject
  readonly field: string
  /** How a part of a list says text: `text` or `input_text`. */
  readonly textType: string
}

/** Changes the text of one tool result: a string, a list of parts, or nothing yet. */
export function editResult(edits: JsonEdits, place: ResultPlace, { hint, defuses, isLeftOut }: ResultEdits): void {
  const { holder, value, field, textType } = place
  const span = memberOf(holder, field)
  const content = value[field]
  if (isLeftOut) edits.setMember(holder, field, JSON.stringify(withHint(LEFT_OUT, hint)))
  else if (span === null || content === null || content === '') {
    if (hint !== null) edits.setMember(holder, field, JSON.stringify(hint))
  } else if (typeof content === 'string') editText(edits, span, content, { hint, defuses })
  else if (Array.isArray(content)) {
    content.forEach((part, index) => {
      const text = objectFrom(part)?.text
      const textSpan = memberOf(span.elements[index], 'text')
      if (typeof text === 'string' && textSpan !== null) editText(edits, textSpan, text, { hint: null, defuses })
    })
    if (hint !== null) edits.appendElement(span, JSON.stringify({ type: textType, text: hint }))
  }
}

/** Changes a string where it stands. */
export function editText(
  edits: JsonEdits,
  span: JsonSpan,
  text: string,
  { hint, defuses }: Pick<ResultEdits, 'hint' | 'defuses'>,
): void {
  const harmless = defuses ? defuse(text) : text
  if (harmless !== text) edits.replace(span, JSON.stringify(withHint(harmless, hint)))
  else if (hint !== null) edits.appendText(span, text === '' ? hint : `\n\n${hint}`)
}

function withHint(text: string, hint: string | null): string {
  return hint === null ? text : `${text}\n\n${hint}`
}
