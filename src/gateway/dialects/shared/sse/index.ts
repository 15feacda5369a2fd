export { createEventSplitter } from './event-splitter.ts'
export { type EventOutput, relayEvents } from './relay-events.ts'
export { dataOf, formatEvent, isUnreadable, type ServerSentEvent } from './server-sent-event.ts'
