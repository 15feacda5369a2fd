import type { HolderReading } from '../../../core/index.ts'
import type { HolderTable } from '../../ledger/index.ts'
import type { ChangeLog } from '../change-log.ts'
import type { SqlRow, SqlValue } from '../database/index.ts'
import type { Statements } from '../statements.ts'
import { readRow } from '../verify/unreadable-row-error.ts'
import { columnsOf } from './columns-of.ts'

const HOLDERS = columnsOf('holders')

export interface CachedHolders extends HolderTable {
  /** Other processes have written: a holder may have died since. */
  clear(): void
}

/**
 * The holders in the file. Heartbeats bypass the change log, because other processes needn't read anything again for
 * them. That a holder is alive is cached until other processes write, so that calls needn't query it.
 */
export function createHolderTable(statements: Statements, changes: ChangeLog): CachedHolders {
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

function holderFromRow(row: SqlRow): HolderReading {
  return {
    holder: HOLDERS.text(row, 'holder'),
    beats: HOLDERS.integer(row, 'beats'),
    beatAtMs: HOLDERS.integerOrNull(row, 'beat_at'),
    diedAtMs: HOLDERS.integerOrNull(row, 'died_at'),
  }
}
