import type { MutableJson } from '../shared/answer/followed-answer.ts'
import { type ClosingText, createClosingText, EMPTIED_ANSWER, type ToolCallName } from '../shared/answer/index.ts'
import { objectFrom, textFrom } from '../shared/request/json-value.ts'

/** A tool call in an answer; later pieces of it may follow. */
export interface CallSlot {
  id: string | null
  readonly name: string
  isPassed: boolean
}

export interface NewCall {
  readonly call: ToolCallName
  readonly slot: CallSlot
}

export interface RewrittenChunk {
  readonly isChanged: boolean
  /** Nothing is left in it that the client needs. */
  readonly isEmpty: boolean
  readonly isCutByCap: boolean
}

interface Choice {
  readonly index: number
  readonly slots: Map<number | 'function_call', CallSlot>
  readonly closing: ClosingText | null
  isFinished: boolean
  hasText: boolean
  /** Calls or markup did not reach the client. */
  isCut: boolean
}

/** The choices of an answer, each with its tool calls and its text. */
export interface Choices {
  /** The calls that this chunk begins, in order. Each must be decided on before the chunk is rewritten. */
  newCalls(chunk: MutableJson): readonly NewCall[]
  rewrite(chunk: MutableJson, onText: (text: string) => void): RewrittenChunk
  /** The text that was held back in choices that have not finished. */
  held(onText: (text: string) => void): readonly MutableJson[]
  finished(): number
  hasAny(): boolean
}

export function createChoices({ isClosing }: { readonly isClosing: boolean }): Choices {
  const choices = new Map<number, Choice>()
  const slotOf = new WeakMap<object, CallSlot>()
  let finished = 0

  const choiceOf = (value: MutableJson): Choice => {
    const index = typeof value.index === 'number' ? value.index : 0
    let choice = choices.get(index)
    if (choice === undefined) {
      const closing = isClosing ? createClosingText() : null
      choice = { index, slots: new Map(), closing, isFinished: false, hasText: false, isCut: false }
      choices.set(index, choice)
    }
    return choice
  }

  return {
    newCalls(chunk) {
      const found: NewCall[] = []
      for (const value of mutableObjects(chunk.choices)) {
        for (const carrier of carriersOf(value)) {
          const choice = choiceOf(value)
          mutableObjects(carrier.tool_calls).forEach((entry, position) => {
            const key = typeof entry.index === 'number' ? entry.index : position
            const id = textFrom(entry.id) === '' ? null : textFrom(entry.id)
            const slot = choice.slots.get(key)
            const isSame = slot !== undefined && goesOn(slot, id, entry)
            slotOf.set(entry, isSame ? slot : begin(choice, key, id, chunk, entry, found))
          })
          const legacy = objectFrom(carrier.function_call)
          if (legacy === null) continue
          const slot = choice.slots.get('function_call') ?? begin(choice, 'function_call', null, chunk, legacy, found)
          slotOf.set(legacy, slot)
        }
      }
      return found
    },
    rewrite(chunk, onText) {
      let isChanged = false
      let isEmpty = true
      let isCutByCap = false
      for (const value of mutableObjects(chunk.choices)) {
        const choice = choiceOf(value)
        const carriers = carriersOf(value)
        const reason = value.finish_reason ?? null
        const isTakenOut = carriers.map((carrier) => takeOutCalls(carrier, slotOf)).includes(true)
        const isFinishing = reason !== null || objectFrom(value.message) !== null
        const isHeldBack = choice.closing !== null && holdBack(value, carriers, choice.closing, isFinishing)
        if (isTakenOut || isHeldBack) {
          choice.isCut = true
          isChanged = true
        }
        choice.hasText ||= carriers.some(({ content, refusal }) => hasWords(content) || hasWords(refusal))
        if (reason !== null) {
          if (!choice.isFinished) finished++
          choice.isFinished = true
          if (reason === 'length') isCutByCap = true
          if (mendFinish(value, choice)) isChanged = true
        }
        for (const carrier of carriersOf(value)) {
          if (choice.index === 0) onText(textFrom(carrier.content))
          if (reason !== null || saysSomething(carrier)) isEmpty = false
        }
      }
      return { isChanged, isEmpty, isCutByCap }
    },
    held(onText) {
      const left: MutableJson[] = []
      for (const { index, closing, isFinished } of choices.values()) {
        const content = isFinished ? '' : (closing?.end() ?? '')
        if (content === '') continue
        if (index === 0) onText(content)
        left.push({ index, delta: { content }, finish_reason: null })
      }
      return left
    },
    finished: () => finished,
    hasAny: () => choices.size > 0,
  }
}

/** The object with a choice's content: `delta` in a stream, `message` in a whole answer. */
function carriersOf(choice: MutableJson): readonly MutableJson[] {
  const delta = objectFrom(choice.delta)
  const message = objectFrom(choice.message)
  if (message === null) return delta === null ? [] : [delta as MutableJson]
  return delta === null ? [message as MutableJson] : [delta as MutableJson, message as MutableJson]
}

function mutableObjects(value: unknown): readonly MutableJson[] {
  return Array.isArray(value) ? value.filter((entry) => objectFrom(entry) !== null) : []
}

/**
 * Only the first piece of a call has its id. One provider gives every call the same index, but different ids. Without
 * either, a name begins a call.
 */
function goesOn(slot: CallSlot, id: string | null, entry: Readonly<MutableJson>): boolean {
  if (id === null && typeof entry.index !== 'number' && slot.name !== '' && nameIn(entry) !== '') return false
  if (id === null || slot.id === null || id === slot.id) {
    slot.id ??= id
    return true
  }
  return false
}

function begin(
  choice: Choice,
  key: number | 'function_call',
  id: string | null,
  chunk: MutableJson,
  entry: Readonly<MutableJson>,
  found: NewCall[],
): CallSlot {
  const name = nameIn(entry)
  const slot: CallSlot = { id, name, isPassed: false }
  choice.slots.set(key, slot)
  // A call without an id must not be mistaken for another one.
  found.push({ slot, call: { id: id ?? `${textFrom(chunk.id)}/${choice.index}/${key}`, name } })
  return slot
}

function nameIn(entry: Readonly<MutableJson>): string {
  return textFrom((objectFrom(entry.function) ?? objectFrom(entry.custom) ?? entry).name)
}

function takeOutCalls(carrier: MutableJson, slotOf: WeakMap<object, CallSlot>): boolean {
  let isChanged = false
  if (Array.isArray(carrier.tool_calls)) {
    const passed = carrier.tool_calls.filter((entry) => objectFrom(entry) !== null && slotOf.get(entry)?.isPassed)
    if (passed.length < carrier.tool_calls.length) {
      isChanged = true
      if (passed.length > 0) carrier.tool_calls = passed
      else delete carrier.tool_calls
    }
  }
  const legacy = objectFrom(carrier.function_call)
  if (legacy !== null && slotOf.get(legacy)?.isPassed !== true) {
    isChanged = true
    delete carrier.function_call
  }
  return isChanged
}

/** Passes on only text that cannot be markup, and the rest when the choice finishes. */
function holdBack(
  value: MutableJson,
  carriers: readonly MutableJson[],
  closing: ClosingText,
  isFinishing: boolean,
): boolean {
  const carrier = carriers[0] ?? {}
  const content = textFrom(carrier.content)
  const sent = (content === '' ? '' : closing.push(content)) + (isFinishing ? closing.end() : '')
  if (sent === content) return false
  carrier.content = sent
  if (carriers.length === 0) value.delta = carrier
  return true
}

/** An answer that lost all its calls ends like any other, and must still have some text. */
function mendFinish(value: MutableJson, choice: Choice): boolean {
  if (!choice.isCut || [...choice.slots.values()].some(({ isPassed }) => isPassed)) return false
  const isCalling = value.finish_reason === 'tool_calls' || value.finish_reason === 'function_call'
  if (isCalling) value.finish_reason = 'stop'
  if (choice.hasText) return isCalling
  const carrier = carriersOf(value)[0] ?? {}
  carrier.content = EMPTIED_ANSWER
  if (carriersOf(value).length === 0) value.delta = carrier
  choice.hasText = true
  return true
}

function hasWords(content: unknown): boolean {
  return (typeof content === 'string' && content !== '') || (Array.isArray(content) && content.length > 0)
}

function saysSomething(carrier: MutableJson): boolean {
  return Object.entries(carrier).some(([key, said]) => key !== 'content' || (said !== '' && said !== null))
}
