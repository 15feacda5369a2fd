import type { HolderReading } from '../../core/index.ts'
import type { HolderShelf } from '../ledger/index.ts'
import type { ChangeLog } from './change-log.ts'
import type { SqlRow, SqlValue } from './database/index.ts'
import type { Statements } from './statements.ts'
import { readRow } from './unreadable-row-error.ts'

export interface CachedHolders extends HolderShelf {
  /** Others have written: a holder may be dead that was not. */
  clear(): void
}

/**
 * The holders that are in the file. Heartbeats are written past the change log: nobody has to read anything again
 * because of them. That a holder lives is remembered until others write, so that a call asks nothing for it.
 */
export function createHolderShelf(statements: Statements, changes: ChangeLog): CachedHolders {
  const dead = new Map<string, boolean>()
  const get = (holder: string): HolderReading | undefined => {
    const buried = changes.holders.get(holder)
    if (buried !== undefined) return buried
    const row = readRow('holders', holder, () => statements.holder.get(holder))
    return row === undefined ? undefined : holderFromRow(row)
  }
  return {
    get,
    isDead(holder) {
      const known = dead.get(holder)
      if (known !== undefined) return known
      const isDead = (get(holder)?.diedAtMs ?? null) !== null
      dead.set(holder, isDead)
      return isDead
    },
    beat: (reading) => void statements.writeHolder.run(...rowFromHolder(reading)),
    bury(reading) {
      changes.holder(reading)
      dead.set(reading.holder, true)
    },
    clear: () => dead.clear(),
  }
}

/** A holder as a row, in the order of the columns. */
export function rowFromHolder({ holder, beats, beatAtMs, diedAtMs }: HolderReading): readonly SqlValue[] {
  return [holder, beats, beatAtMs, diedAtMs]
}

function holderFromRow({ holder, beats, beat_at: beatAtMs, died_at: diedAtMs }: SqlRow): HolderReading {
  return {
    holder: holder as string,
    beats: beats as number,
    beatAtMs: beatAtMs as number | null,
    diedAtMs: diedAtMs as number | null,
  }
}
