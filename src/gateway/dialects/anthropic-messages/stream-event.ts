import type { JsonObject } from '../shared/request/json-value.ts'
import { formatEvent } from '../shared/sse/index.ts'

/** The data of an event, whose name is its `type`. */
export type StreamEvent = JsonObject

/** What becomes of an event: it keeps its own bytes, or is replaced by these events. */
export type Events = 'same' | readonly StreamEvent[]

/** An event as this dialect writes it. */
export function written(event: StreamEvent): string {
  return formatEvent(String(event.type), JSON.stringify(event))
}

/** The events of one text block. */
export function textEvents(index: number, text: string): readonly StreamEvent[] {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index },
  ]
}

/** Blocks that are not part of the answer proper: no message may end with one. */
export const THINKING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking'])
