import {
  type AssumeOutcome,
  type AssumeRequest,
  type BeatOutcome,
  type BeatRequest,
  HolderDeadError,
  type HolderReading,
} from '../../core/index.ts'
import { assumeOpen } from './settle.ts'
import type { Ledger } from './state/ledger.ts'

/** Counts a heartbeat. A holder that was declared dead stays dead; the answer says so. */
export function beat(ledger: Ledger, { holder, atMs }: BeatRequest): BeatOutcome {
  const { beats, diedAtMs } = readHolder(ledger, holder)
  if (diedAtMs !== null) return { kind: 'dead', diedAtMs }
  ledger.holders.beat({ holder, beats: beats + 1, beatAtMs: atMs, diedAtMs })
  return { kind: 'beating', beats: beats + 1 }
}

/**
 * Declares a holder dead and charges its open reservations. Does nothing if it sent a heartbeat since the caller
 * looked.
 */
export function assumeHolder(ledger: Ledger, request: AssumeRequest): AssumeOutcome {
  const { holder, atMs } = request
  const known = readHolder(ledger, holder)
  if (request.beats !== undefined && request.beats !== known.beats) return { reservations: [], orphanedScopes: [] }
  if (known.diedAtMs === null) ledger.holders.bury({ ...known, diedAtMs: atMs })
  return assumeOpen(ledger, request)
}

/** Throws if the holder was declared dead. */
export function assertHolderLives(ledger: Ledger, holder: string): void {
  if (ledger.holders.isDead(holder)) throw new HolderDeadError(holder)
}

/** Every holder with something open, sorted by id. */
export function listHolders(ledger: Ledger): readonly HolderReading[] {
  const holders = new Set([...ledger.reservations.holders(), ...ledger.scopes.owners()])
  return [...holders].toSorted().map((holder) => readHolder(ledger, holder))
}

function readHolder({ holders }: Ledger, holder: string): HolderReading {
  return holders.get(holder) ?? { holder, beats: 0, beatAtMs: null, diedAtMs: null }
}
