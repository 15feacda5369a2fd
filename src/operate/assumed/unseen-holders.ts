import { type Amounts, type CounterMeter, isEnded } from '../../core/index.ts'
import { MOST_SCOPES } from '../find/find-scope.ts'
import type { Operator } from '../operator.ts'
import { amountsView } from '../views/amounts-view.ts'

/** A holder whose process cannot be seen from here: in another container, or on another machine. */
export interface UnseenHolder {
  readonly holder: string
  /** How many reservations it has open, and their total. */
  readonly reservations: number
  readonly reserved: Amounts
  /** The paths of the scopes that it runs. */
  readonly scopes: readonly string[]
  /** When its last heartbeat was, by its own clock; `null` if there was none. */
  readonly beatAtMs: number | null
  /** Whether that is less than a minute ago: then it is taken to be alive. */
  readonly isBeating: boolean
}

const SILENCE_MS = 60_000
const MOST_RESERVATIONS = 10_000

/** The holders with something open that can be seen neither alive nor dead. */
export async function unseenHolders({ store, nowMs, isHolderAlive }: Operator): Promise<readonly UnseenHolder[]> {
  const atMs = nowMs()
  const holders = (await store.holders()).filter(
    ({ holder, diedAtMs }) => diedAtMs === null && isHolderAlive(holder) === null,
  )
  if (holders.length === 0) return []
  const scopes = await store.list({ standing: 'open', most: MOST_SCOPES, atMs })
  const unseen: UnseenHolder[] = []
  for (const { holder, beatAtMs } of holders) {
    const reservations = await store.reservations({ state: 'open', holder, most: MOST_RESERVATIONS })
    const own = scopes.filter(({ owner, status }) => owner === holder && !isEnded(status))
    const sinceMs = beatAtMs === null ? Number.POSITIVE_INFINITY : atMs - beatAtMs
    unseen.push({
      holder,
      reservations: reservations.length,
      reserved: sumOf(reservations.map(({ reserved }) => reserved)),
      scopes: own.map(({ path }) => path),
      beatAtMs,
      // A clock that is ahead writes heartbeats in the future.
      isBeating: sinceMs < SILENCE_MS,
    })
  }
  return unseen
}

export function unseenHolderView({ beatAtMs, reserved, ...holder }: UnseenHolder) {
  const lastHeartbeat = beatAtMs === null ? null : new Date(beatAtMs).toISOString()
  return { ...holder, reserved: amountsView(reserved), lastHeartbeat }
}

function sumOf(all: readonly Amounts[]): Amounts {
  const sum: Partial<Record<CounterMeter, number>> = {}
  for (const amounts of all) {
    for (const [meter, amount] of Object.entries(amounts) as [CounterMeter, number][]) {
      sum[meter] = (sum[meter] ?? 0) + amount
    }
  }
  return sum
}
