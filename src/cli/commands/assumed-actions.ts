import {
  type Amounts,
  COUNTER_METERS,
  type CounterMeter,
  InvalidOptionError,
  isCounterMeter,
  type LedgerStore,
  type ReservationReading,
  reportInPhase,
  type SettleOutcome,
  StintError,
  suggestName,
} from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { assumeDead } from '../ledger/assume-dead.ts'
import { findById } from '../ledger/find-by-id.ts'
import { refuseInsideLedger } from '../ledger/refuse-own-run.ts'
import { type UnseenHolder, unseenHolders } from '../ledger/unseen-holders.ts'
import { amountsJson, amountsText } from '../output/amount-text.ts'
import type { Report } from '../output/report.ts'
import { reservationJson } from '../output/scope-json.ts'
import { holderText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'
import { amountFromText } from './amount-from-text.ts'

const MOST_LISTED = 10_000

/** `stint assumed list`. */
export async function listAssumed(context: CommandContext): Promise<Report> {
  const nowMs = context.platform.nowMs()
  const { store, newly } = await openSwept(context)
  const reservations = await store.reservations({ state: 'assumed', most: MOST_LISTED })
  const unseen = await unseenHolders(store, context.platform)
  const json = { reservations: reservations.map(reservationJson), newlyAssumed: newly, unseen: unseen.map(unseenJson) }
  const text = [assumedText(reservations, nowMs, context.width), ...unseenText(unseen, nowMs)].join('\n')
  return { json, text }
}

const ASSUMED_COLUMNS = [
  'ID',
  { heading: 'SCOPE', shrinksTo: 10 },
  { heading: 'CHARGED', dropOrder: 1 },
  { heading: 'RESERVED', dropOrder: 2 },
  { heading: 'HOLDER', dropOrder: 3 },
] as const

function assumedText(reservations: readonly ReservationReading[], nowMs: number, width: number): string {
  if (reservations.length === 0) return 'Nothing is assumed.'
  const rows = reservations.map(({ id, scopePath, charged, holder, atMs }) => {
    return [printable(id), printable(scopePath), amountsText(charged ?? {}), whenText(atMs, nowMs), holderText(holder)]
  })
  return formatTable(ASSUMED_COLUMNS, rows, width)
}

/** What is still open, and stays so until its holder is heard of or declared dead. */
function unseenText(unseen: readonly UnseenHolder[], nowMs: number): readonly string[] {
  if (unseen.length === 0) return []
  const rows = unseen.map(({ holder, reserved, scopes, beatAtMs, isBeating }) => {
    const beat = beatAtMs === null ? 'never' : whenText(beatAtMs, nowMs)
    const cells = [holder, amountsText(reserved), scopes.join(', '), isBeating ? `${beat} (alive)` : beat]
    return cells.map(printable)
  })
  return [
    '',
    'Still reserved by processes that cannot be seen from here (another container, or another machine):',
    formatTable(['HOLDER', 'RESERVED', 'RUNS', 'HEARTBEAT'], rows),
    'A server or a run that watches one be silent for a minute declares it dead. If you know that one is gone:',
    '  stint assumed declare-dead HOLDER --reason "…"',
  ]
}

function unseenJson({ holder, reservations, reserved, scopes, beatAtMs, isBeating }: UnseenHolder) {
  const lastHeartbeat = beatAtMs === null ? null : new Date(beatAtMs).toISOString()
  return { holder, reservations, reserved: amountsJson(reserved), scopes, lastHeartbeat, isBeating }
}

/** `stint assumed settle ID`. */
export async function settleAssumed(
  context: CommandContext,
  text: string,
  { amount, reason }: { readonly amount: readonly string[]; readonly reason?: string },
): Promise<Report> {
  const actual = amountsFromFlags(amount)
  const { store } = await openSwept(context)
  const reservation = await findAssumed(context, store, text)
  const why = reason === undefined ? {} : { reason }
  const word = { by: context.by, ...why, atMs: context.platform.nowMs() }
  const settled = reportInPhase(reservation.reserved, actual)
  return reportOf(reservation, await store.settle({ reservationId: reservation.id, actual: settled, ...word }))
}

/** `stint assumed forgive ID`. */
export async function forgiveAssumed(context: CommandContext, text: string, reason: string): Promise<Report> {
  const { store } = await openSwept(context)
  const reservation = await findAssumed(context, store, text)
  const word = { by: context.by, reason, atMs: context.platform.nowMs() }
  return reportOf(reservation, await store.release({ reservationId: reservation.id, ...word }))
}

async function openSwept(context: CommandContext): Promise<{ store: LedgerStore; newly: number }> {
  const store = await context.store()
  return { store, newly: (await assumeDead(store, context.platform)).length }
}

/** Only what is assumed: whoever holds an open reservation is there to settle it. */
async function findAssumed(context: CommandContext, store: LedgerStore, text: string): Promise<ReservationReading> {
  const assumed = await store.reservations({ state: 'assumed', most: MOST_LISTED })
  const remedy = '`stint assumed list` lists them.'
  const found = findById(assumed, text, { code: 'unknown_reservation', what: 'assumed reservation', remedy })
  await refuseInsideLedger(context, store, 'Correcting what was charged')
  return found
}

function reportOf(reservation: ReservationReading, outcome: SettleOutcome): Report {
  const { id, scopePath, charged: before } = reservation
  if (outcome.kind === 'unknown' || outcome.kind === 'conflict') {
    const message = `Somebody else corrected the reservation ${id} meanwhile. That stands.`
    throw new StintError('reservation_conflict', message)
  }
  const { charged } = outcome
  return {
    json: { id, scopePath, before: amountsJson(before ?? {}), charged: amountsJson(charged) },
    text: `Corrected ${printable(id)} of ${printable(scopePath)}: ${amountsText(before ?? {})} → ${amountsText(charged)}.`,
  }
}

function amountsFromFlags(flags: readonly string[]): Amounts {
  const amounts = new Map<CounterMeter, number>()
  for (const flag of flags) {
    const place = `--amount ${flag}`
    const [meter = '', ...rest] = flag.split('=')
    if (rest.length !== 1) throw new InvalidOptionError('--amount', flag, 'METER=VALUE, e.g. cost=0.02')
    if (!isCounterMeter(meter)) {
      const nearest = suggestName(meter, COUNTER_METERS)
      const hint = nearest === null ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`
      throw new InvalidOptionError('--amount', flag, `of one of ${COUNTER_METERS.join(', ')}${hint}`)
    }
    if (amounts.has(meter)) throw new InvalidOptionError('--amount', flag, `given once for ${meter}`)
    amounts.set(meter, amountFromText(meter, rest[0]!, place))
  }
  return Object.fromEntries(amounts)
}
