import { printable } from '../../core/checks/printable.ts'
import type { ReservationReading } from '../../core/index.ts'
import {
  assumedListView,
  type CorrectedReservation,
  correctedView,
  findAssumed,
  forgiveAssumed as forgive,
  listAssumed as list,
  settleAssumed as settle,
} from '../../operate/assumed/assumed-reservations.ts'
import { declareDead as declare, declaredDeadView } from '../../operate/assumed/declare-dead.ts'
import type { UnseenHolder } from '../../operate/assumed/unseen-holders.ts'
import { countText } from '../../operate/count-text.ts'
import type { CommandContext } from '../command-context.ts'
import { amountsFromFlags } from '../flags/amounts-from-flags.ts'
import { refuseInsideLedger } from '../ledger/refuse-own-run.ts'
import { amountsText } from '../output/amount-text.ts'
import type { Report } from '../output/report.ts'
import { holderText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'

/** `stint assumed list`. */
export async function listAssumed(context: CommandContext): Promise<Report> {
  const { platform, width } = context
  const found = await list(await context.operator())
  const { reservations, unseen } = found
  const nowMs = platform.nowMs()
  return {
    json: () => assumedListView(found),
    text: () => [assumedText(reservations, nowMs, width), ...unseenText(unseen, nowMs)].join('\n'),
  }
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

/** What stays open until its holder is heard from or declared dead. */
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
    'A server or a run that sees no heartbeat for a minute declares the process dead. If you know that one is gone:',
    '  stint assumed declare-dead HOLDER --reason "…"',
  ]
}

/** `stint assumed settle ID`. */
export async function settleAssumed(
  context: CommandContext,
  text: string,
  { amount, reason }: { readonly amount: readonly string[]; readonly reason?: string },
): Promise<Report> {
  const actual = amountsFromFlags(amount)
  const operator = await context.operator()
  const reservation = await findAssumed(operator, text)
  await refuseInsideLedger(context, operator.store, 'Correcting what was charged')
  return reportOf(await settle(operator, reservation, actual, reason))
}

/** `stint assumed forgive ID`. */
export async function forgiveAssumed(context: CommandContext, text: string, reason: string): Promise<Report> {
  const operator = await context.operator()
  const reservation = await findAssumed(operator, text)
  await refuseInsideLedger(context, operator.store, 'Correcting what was charged')
  return reportOf(await forgive(operator, reservation, reason))
}

function reportOf(corrected: CorrectedReservation): Report {
  const { id, scopePath, before, charged } = corrected
  return {
    json: correctedView(corrected),
    text: `Corrected ${printable(id)} of ${printable(scopePath)}: ${amountsText(before)} → ${amountsText(charged)}.`,
  }
}

/** `stint assumed declare-dead HOLDER`. */
export async function declareDead(context: CommandContext, text: string, reason: string): Promise<Report> {
  const operator = await context.operator()
  await refuseInsideLedger(context, operator.store, 'Declaring a process dead')
  const declared = await declare(operator, text, reason)
  const { holder, reservations, orphanedScopes } = declared
  const lines = reservations.map(({ reservationId, scopeId, charged }) => {
    return printable(`  ${reservationId}  ${scopeId}  ${amountsText(charged)}`)
  })
  const charged = `${countText(reservations.length, 'reservation')} charged in full, ${countText(orphanedScopes.length, 'run')} left behind`
  return {
    json: declaredDeadView(declared),
    text: [`Declared dead: ${printable(holder)}. ${charged}.`, ...lines].join('\n'),
  }
}
