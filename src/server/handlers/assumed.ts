import { COUNTER_METERS, type ReservationFilter, type ReservationReading, StintError } from '../../core/index.ts'
import { correctedView, forgiveAssumed, settleAssumed } from '../../operate/assumed/assumed-reservations.ts'
import { meterKey } from '../../operate/views/amounts-view.ts'
import { reservationView } from '../../operate/views/scope-view.ts'
import { mayShow, operatorFor, type ServerContext } from '../server-context.ts'
import type { Caller } from '../session/caller.ts'
import type { Handlers } from './handler.ts'

const MOST_LISTED = 200

/** Calls that were cut off, or whose process died: they are charged at their worst case until they are corrected. */
export const ASSUMED_HANDLERS: Pick<
  Handlers,
  'GET /api/assumed' | 'POST /api/assumed/:id/settle' | 'POST /api/assumed/:id/forgive'
> = {
  async 'GET /api/assumed'({ context, caller, query }) {
    const { most = MOST_LISTED } = query
    const shown = await shownAssumed(context, caller, { most: most + 1 })
    return { reservations: shown.slice(0, most).map(reservationView), isTruncated: shown.length > most }
  },

  async 'POST /api/assumed/:id/settle'({ context, caller, params, body }) {
    const reservation = await assumedWithId(context, caller, params.id)
    const actual = COUNTER_METERS.flatMap((meter) => {
      const amount = body.amounts[meterKey(meter)]
      return amount === undefined ? [] : [[meter, amount] as const]
    })
    const operator = operatorFor(context, caller)
    return correctedView(await settleAssumed(operator, reservation, Object.fromEntries(actual), body.reason))
  },

  async 'POST /api/assumed/:id/forgive'({ context, caller, params, body }) {
    const reservation = await assumedWithId(context, caller, params.id)
    return correctedView(await forgiveAssumed(operatorFor(context, caller), reservation, body.reason))
  },
}

/** Every payer of a call is on its path, so its caller needs no look at the scopes. */
async function shownAssumed(
  { store }: ServerContext,
  caller: Pick<Caller, 'scopeId'>,
  filter: Pick<ReservationFilter, 'reservationId' | 'most'>,
): Promise<readonly ReservationReading[]> {
  const within = caller.scopeId === null ? {} : { withinId: caller.scopeId }
  const assumed = await store.reservations({ state: 'assumed', ...within, ...filter })
  return assumed.filter(({ scopeIds }) => mayShow(caller, scopeIds))
}

/** Throws the same whether it is foreign, unknown, or was corrected before. */
async function assumedWithId(
  context: ServerContext,
  caller: Pick<Caller, 'scopeId'>,
  id: string,
): Promise<ReservationReading> {
  const [found] = await shownAssumed(context, caller, { reservationId: id })
  if (found !== undefined) return found
  throw new StintError('unknown_reservation', `No assumed reservation has the id ${JSON.stringify(id)}.`)
}
