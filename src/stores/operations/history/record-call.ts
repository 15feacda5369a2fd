import {
  type AmountVector,
  amountsFromVector,
  type ChargeAnomaly,
  type EventDraft,
  type EventName,
  keptCallFacts,
  showValue,
  storableText,
} from '../../../core/index.ts'
import type { Ledger } from '../state/ledger.ts'
import type { ReservationRecord } from '../state/ledger-state.ts'
import { headerFor, nextNumber, recordEvent } from './record-event.ts'

/** Numbers the end of a call. A call that was never sent isn't an event. */
export function recordEnd(ledger: Ledger, record: ReservationRecord, atMs: number): void {
  record.endedAtMs = atMs
  if (ledger.history === null) return
  ledger.history.touch(record.scope)
  const isUnsent = record.state === 'released' && record.result?.ending !== 'refused'
  if (!isUnsent) record.told = nextNumber(record.scope)
}

/** Numbers the correction of an assumed charge. An earlier correction is stored as a separate event. */
export function recordCorrection(ledger: Ledger, record: ReservationRecord, before: AmountVector, atMs: number): void {
  if (ledger.history === null) return
  const { scope, correction } = record
  ledger.history.touch(scope)
  if (correction !== null) {
    // Only an assumed charge is corrected, so the earlier correction was of one as well.
    const draft = assumedEvent({ ...record, charged: before }, correction.atMs)
    ledger.history.add(scope, { number: correction.told, atMs: correction.atMs, draft })
  }
  record.correction = { told: nextNumber(scope), atMs, assumed: correction?.assumed ?? before }
}

/** Stores which reported amounts were not valid. */
export function recordAnomalies(
  ledger: Ledger,
  record: ReservationRecord,
  anomalies: readonly ChargeAnomaly[],
  atMs: number,
): void {
  for (const { meter, value, charged } of anomalies) {
    const about = { meter: storableText(meter), value: storableText(showValue(value)), charged }
    recordEvent(ledger, record.scope, atMs, { ...headerOf(record, 'usage_anomaly', atMs), ...about })
  }
}

/** The kind of event that the end of a call is, or its correction. */
export function kindOf({ state, correction }: ReservationRecord, by: 'end' | 'correction'): EventName {
  const wasAssumed = state === 'assumed' || (by === 'end' && correction !== null)
  return wasAssumed ? 'reservation_assumed' : 'call_settled'
}

/** The event of the end of a call, as it was before any correction. */
export function endEvent(record: ReservationRecord): EventDraft {
  const { correction, endedAtMs, atMs } = record
  const at = endedAtMs ?? atMs
  if (correction !== null) return assumedEvent({ ...record, charged: correction.assumed }, at)
  return record.state === 'assumed' ? assumedEvent(record, at) : settledEvent(record, at)
}

/** The event of the latest correction of a call. */
export function correctionEvent(record: ReservationRecord): EventDraft {
  const at = record.correction?.atMs ?? record.atMs
  return record.state === 'assumed' ? assumedEvent(record, at) : settledEvent(record, at)
}

function assumedEvent(record: ReservationRecord, atMs: number): EventDraft {
  return { ...headerOf(record, 'reservation_assumed', atMs), charged: amountsFromVector(record.charged ?? []) }
}

function settledEvent(record: ReservationRecord, atMs: number): EventDraft {
  const { charged, reserved, state, endedAtMs } = record
  const over = (charged ?? []).map((amount, index) => Math.max(0, amount - reserved[index]!))
  return {
    ...headerOf(record, 'call_settled', atMs),
    charged: amountsFromVector(charged ?? []),
    overrun: amountsFromVector(over),
    refused: state === 'released',
    duration_ms: Math.max(0, (endedAtMs ?? atMs) - record.atMs),
  }
}

function headerOf<Name extends 'reservation_assumed' | 'call_settled' | 'usage_anomaly'>(
  { id, scope, about }: ReservationRecord,
  event: Name,
  atMs: number,
) {
  const facts = keptCallFacts(about)
  const call = { reservation: id, call: facts?.call ?? ('other' as const), call_name: facts?.name ?? null }
  return { ...headerFor(scope, event, atMs), ...call }
}
