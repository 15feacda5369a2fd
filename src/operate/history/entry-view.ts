import type { HistoryEntry } from '../../core/index.ts'
import { reservationView } from '../views/scope-view.ts'

/** An event as JSON: as in the log file, with the record of its call. */
export function entryView({ event, call }: HistoryEntry) {
  return call === null ? event : { ...event, record: reservationView(call) }
}
