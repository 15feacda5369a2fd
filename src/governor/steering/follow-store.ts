import type { Cancel } from '../../core/index.ts'
import { isPassing } from '../calls/pending-writes.ts'
import { activeMsOf, type GovernorContext } from '../scope/scope-runtime.ts'
import { hearAnswer } from './answer-request.ts'
import { assumeHolder } from './assume-holder.ts'
import { catchUp } from './catch-up.ts'
import { createSilenceWatch, type SilenceWatch } from './silence-watch.ts'
import { takeNewHolder } from './take-new-holder.ts'

const LOOK_EVERY_MS = 500
// Every this many polls, check which processes died, which requests expired, and how long our scopes have worked.
const LOOKS_BETWEEN_ROUNDS = 10

/** A running poll of the store. */
export interface Following {
  /** Stops polling. Resolves when the poll in progress is done. */
  stop(): Promise<void>
}

/**
 * Polls a shared ledger for what other processes do: scopes of ours that they pause, raise or end, requests that they
 * answer, room that they free, and processes that died. If the store cannot be reached, the next poll tries again.
 */
export function followStore(context: GovernorContext): Following {
  const { clock, line, store } = context
  const watch = createSilenceWatch(clock)
  let cursor: number | null = null
  let looks = 0
  let isStopped = false
  let isLooking = false
  let isWoken = false
  let looking: Promise<void> = Promise.resolve()

  function lookAfter(delayMs: number): Cancel {
    const start = (): void => {
      looking = look()
    }
    return clock.after(delayMs, start, { unref: true })
  }

  async function look(): Promise<void> {
    isLooking = true
    isWoken = false
    try {
      cursor = await followSteered(context, cursor)
      if (looks++ % LOOKS_BETWEEN_ROUNDS === 0) await makeRound(context, watch)
    } catch (error) {
      // Nothing is lost: the next poll sees it.
      if (isPassing(error)) watch.missed()
    }
    line.wakeAll()
    isLooking = false
    if (!isStopped) cancel = lookAfter(isWoken ? 0 : LOOK_EVERY_MS)
  }

  /** Others have changed something: that is looked at now, or once more if a poll is under way. */
  function wake(): void {
    isWoken = true
    if (isLooking || isStopped) return
    cancel()
    looking = look()
  }

  let cancel = lookAfter(0)
  const stopListening = store.listen?.(wake)
  return {
    stop() {
      isStopped = true
      stopListening?.()
      cancel()
      return looking
    },
  }
}

async function followSteered(context: GovernorContext, since: number | null): Promise<number> {
  const { increases, living, store } = context
  const polled = await store.poll({ since })
  // The first poll does not list earlier changes, so everything is read.
  const steered = since === null ? null : polled.steered
  // Answers first: they say who gave them.
  for (const { request } of [...increases.values()]) {
    if (steered !== null && !steered.includes(request.scopeId)) continue
    const [record] = await store.requests({ requestId: request.id })
    if (record !== undefined) await hearAnswer(context, record)
  }
  const failures: unknown[] = []
  for (const id of steered ?? [...living.keys()]) {
    const runtime = living.get(id)
    try {
      if (runtime !== undefined) await catchUp(runtime)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return polled.cursor
}

async function makeRound(context: GovernorContext, watch: SilenceWatch): Promise<void> {
  const { clock, living, store } = context
  await lookAtHolders(context, watch)
  for (const { id: requestId, expiresAtMs } of await store.requests({ status: 'open' })) {
    if (expiresAtMs > clock.wallMs()) continue
    await store.answer({ requestId, verdict: 'expired', atMs: clock.wallMs() })
  }
  for (const runtime of [...living.values()]) {
    const keepsTime = runtime.life.isOwned && runtime.limits.some(({ meter }) => meter === 'time')
    if (keepsTime) await store.note({ scopeId: runtime.id, ...activeMsOf(runtime), atMs: clock.wallMs() })
  }
}

/** Writes our heartbeat while the store has something of ours, and charges what dead holders left. */
async function lookAtHolders(context: GovernorContext, watch: SilenceWatch): Promise<void> {
  const { clock, holder: ours, isHolderAlive, store } = context
  const holders = await store.holders()
  watch.saw(holders)
  if (holders.some(({ holder }) => holder === ours)) {
    const { kind } = await store.beat({ holder: ours, atMs: clock.wallMs() })
    if (kind === 'dead') await takeNewHolder(context, ours)
  }
  for (const { holder, beats, diedAtMs } of holders) {
    if (holder === ours || diedAtMs !== null) continue
    const isAlive = isHolderAlive(holder)
    // If the process can be observed, that overrules its silence: its machine may have been asleep.
    if (isAlive === false) await assumeHolder(context, { holder })
    else if (isAlive === null && watch.isSilent(holder)) await assumeHolder(context, { holder, beats })
  }
}
