import type { MutableJson } from '../shared/answer/followed-answer.ts'
import type { ToolCallName } from '../shared/answer/index.ts'
import { type JsonObject, objectFrom, textFrom } from '../shared/request/json-value.ts'
import { clientCallIn, isFileSearch, isProviderCall, isWebSearch } from './output-item.ts'

/** An item of the output, and whether it reaches the client. */
export interface OutputSlot {
  readonly callId: string
  isPassed: boolean
  isProviderCall: boolean
  isWebSearch: boolean
  isFileSearch: boolean
}

export interface NewCall {
  readonly call: ToolCallName
  readonly slot: OutputSlot
}

/** The items of an answer's output, by index and by id. */
export interface OutputSlots {
  /** The calls in this event, in order. Each must be decided on before the event is passed on. */
  newCalls(event: MutableJson): readonly NewCall[]
  /** For an item in the final list. */
  ofListed(item: JsonObject, index: number): OutputSlot | undefined
  /** For the item that an event is about. */
  ofEvent(event: MutableJson): OutputSlot | undefined
  /** How many items before this index are cut. */
  cutBefore(outputIndex: number): number
  all(): readonly OutputSlot[]
}

// Pieces of a call, which represent it if the item itself did not come first.
const CALL_PIECE = /^response\.(function_call_arguments|custom_tool_call_input)\./

export function createOutputSlots(): OutputSlots {
  const byIndex = new Map<number, OutputSlot>()
  const byId = new Map<string, OutputSlot>()
  const slots: OutputSlot[] = []

  /** By its ids; by its index if nothing contradicts it: some providers give an item a new id in every event. */
  const find = (item: JsonObject, index: unknown, isBeginning = false): OutputSlot | undefined => {
    const callId = textFrom(item.call_id)
    const known = byId.get(callId) ?? byId.get(textFrom(item.id))
    if (known !== undefined || isBeginning || typeof index !== 'number') return known
    const placed = byIndex.get(index)
    return callId === '' || placed?.callId === '' || placed?.callId === callId ? placed : undefined
  }

  const look = (
    item: JsonObject,
    index: unknown,
    found: NewCall[],
    { isPiece = false, isBeginning = false } = {},
  ): void => {
    const known = find(item, index, isBeginning)
    if (known !== undefined) {
      // Only the end of an item shows what it was.
      known.isProviderCall ||= isProviderCall(item)
      known.isFileSearch ||= isFileSearch(item)
      if (!isPiece) known.isWebSearch = isWebSearch(item)
      return
    }
    const call = isPiece ? { id: textFrom(item.id), name: textFrom(item.name) } : clientCallIn(item)
    const slot: OutputSlot = {
      callId: textFrom(item.call_id),
      isPassed: call === null,
      isProviderCall: isProviderCall(item),
      isWebSearch: isWebSearch(item),
      isFileSearch: isFileSearch(item),
    }
    slots.push(slot)
    if (typeof index === 'number') byIndex.set(index, slot)
    for (const id of [textFrom(item.id), slot.callId]) if (id !== '') byId.set(id, slot)
    // A call without an id must not be mistaken for another one.
    if (call !== null) found.push({ slot, call: call.id === '' ? { ...call, id: `output/${slots.length}` } : call })
  }

  return {
    newCalls(event) {
      const found: NewCall[] = []
      const item = objectFrom(event.item)
      const isBeginning = event.type === 'response.output_item.added'
      if (item !== null) look(item, event.output_index, found, { isBeginning })
      else if (CALL_PIECE.test(textFrom(event.type))) {
        look({ id: event.item_id, name: event.name }, event.output_index, found, { isPiece: true })
      }
      const listed = objectFrom(event.response)?.output ?? event.output
      if (!Array.isArray(listed)) return found
      listed.forEach((one, index) => {
        const listedItem = objectFrom(one)
        if (listedItem !== null) look(listedItem, index, found)
      })
      return found
    },
    ofListed: (item, index) => find(item, index),
    ofEvent: ({ item, item_id: itemId, output_index: index }) => find(objectFrom(item) ?? { id: itemId }, index),
    cutBefore(outputIndex) {
      let cut = 0
      for (const [index, { isPassed }] of byIndex) if (index < outputIndex && !isPassed) cut++
      return cut
    },
    all: () => slots,
  }
}
