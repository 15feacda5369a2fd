import {
  type AssumeOutcome,
  type AssumeRequest,
  type BeatOutcome,
  type BeatRequest,
  HolderDeadError,
  type HolderReading,
} from '../../core/index.ts'
import type { Ledger } from './ledger.ts'
import { assumeOpen } from './settle.ts'

/** Counts a heartbeat. One that was declared dead stays dead, and is told so. */
export function beat(ledger: Ledger, { holder, atMs }: BeatRequest): BeatOutcome {
  const { beats, diedAtMs } = readHolder(ledger, holder)
  if (diedAtMs !== null) return { kind: 'dead', diedAtMs }
  ledger.holders.beat({ holder, beats: beats + 1, beatAtMs: atMs, diedAtMs })
  return { kind: 'beating', beats: beats + 1 }
}

/** Declares a holder dead, and charges what it left open; nothing where it was heard of since the caller looked. */
export function assumeHolder(ledger: Ledger, request: AssumeRequest): AssumeOutcome {
  const { holder, atMs } = request
  const known = readHolder(ledger, holder)
  if (request.beats !== undefined && request.beats !== known.beats) return { reservations: [], orphanedScopes: [] }
  if (known.diedAtMs === null) ledger.holders.bury({ ...known, diedAtMs: atMs })
  return assumeOpen(ledger, request)
}

/** Throws where nothing more may begin under this holder. */
export function assertHolderLives(ledger: Ledger, holder: string): void {
  if (ledger.holders.isDead(holder)) throw new HolderDeadError(holder)
}

/** Everybody who has something open, in the order of their texts. */
export function listHolders(ledger: Ledger): readonly HolderReading[] {
  const holders = new Set([...ledger.reservations.holders(), ...ledger.scopes.owners()])
  return [...holders].toSorted().map((holder) => readHolder(ledger, holder))
}

function readHolder({ holders }: Ledger, holder: string): HolderReading {
  return holders.get(holder) ?? { holder, beats: 0, beatAtMs: null, diedAtMs: null }
}
