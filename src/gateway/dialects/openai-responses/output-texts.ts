import { stripToolMarkup } from '../../../governor/index.ts'
import type { MutableJson } from '../shared/answer/followed-answer.ts'
import { type ClosingText, createClosingText } from '../shared/answer/index.ts'
import { objectFrom, textFrom } from '../shared/request/json-value.ts'

interface PartText {
  readonly closing: ClosingText
  sent: string
  isEnded: boolean
}

/** The texts of a closing answer, which are sent in pieces and then repeated in full three times. */
export interface OutputTexts {
  /** Changes a piece, and the full texts that follow it. Returns what must be sent before the event. */
  hold(event: MutableJson): { readonly isChanged: boolean; readonly before: string }
  /** Changes the texts of an item. */
  mendItem(item: MutableJson): boolean
}

export function createOutputTexts(): OutputTexts {
  const texts = new Map<string, PartText>()
  const partOf = (itemId: unknown, contentIndex: unknown) => {
    const key = `${textFrom(itemId)}/${String(contentIndex)}`
    let part = texts.get(key)
    if (part === undefined) {
      part = { closing: createClosingText(), sent: '', isEnded: false }
      texts.set(key, part)
    }
    return part
  }
  /** The full text of a part as the client has it, and what was held back of it so far. */
  const wholeOf = (itemId: unknown, contentIndex: unknown, text: string): { whole: string; held: string } => {
    const isKnown = texts.has(`${textFrom(itemId)}/${String(contentIndex)}`)
    if (!isKnown) return { whole: stripToolMarkup(text), held: '' }
    const part = partOf(itemId, contentIndex)
    const held = part.isEnded ? '' : part.closing.end()
    part.isEnded = true
    part.sent += held
    return { whole: part.sent, held }
  }
  const mend = (holder: MutableJson, field: string, itemId: unknown, contentIndex: unknown) => {
    const text = textFrom(holder[field])
    const { whole, held } = wholeOf(itemId, contentIndex, text)
    if (whole !== text) holder[field] = whole
    return { isChanged: whole !== text, before: held }
  }
  const mendItem = (item: MutableJson): boolean => {
    let isChanged = false
    if (!Array.isArray(item.content)) return false
    item.content.forEach((content, index) => {
      const part = objectFrom(content) as MutableJson | null
      if (part?.type === 'output_text' && mend(part, 'text', item.id, index).isChanged) isChanged = true
    })
    return isChanged
  }
  return {
    hold(event) {
      const { type, item_id: itemId, content_index: contentIndex } = event
      if (type === 'response.output_text.delta') {
        const part = partOf(itemId, contentIndex)
        const delta = textFrom(event.delta)
        const sent = part.closing.push(delta)
        part.sent += sent
        if (sent === delta) return { isChanged: false, before: '' }
        event.delta = sent
        return { isChanged: true, before: '' }
      }
      if (type === 'response.output_text.done') return mend(event, 'text', itemId, contentIndex)
      const part = objectFrom(event.part) as MutableJson | null
      if (type === 'response.content_part.done' && part?.type === 'output_text') {
        return mend(part, 'text', itemId, contentIndex)
      }
      return { isChanged: false, before: '' }
    },
    mendItem,
  }
}
