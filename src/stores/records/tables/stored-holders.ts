import type { HolderReading } from '../../../core/index.ts'
import type { HolderTable } from '../../operations/index.ts'
import type { ChangeLog } from '../change-log.ts'
import type { RowSource } from '../row-source.ts'
import { columnsOf } from '../rows/columns-of.ts'
import type { WriteRow } from '../rows/row-change.ts'
import type { SqlRow, SqlValue } from '../rows/sql-row.ts'
import { readRow } from '../rows/unreadable-row-error.ts'

const HOLDERS = columnsOf('holders')

export interface StoredHolders extends HolderTable {
  /** Other processes have written: a holder may have died since. */
  clear(): void
}

/**
 * The stored holders. Heartbeats bypass the change log, because other processes needn't read anything again for them.
 * That a holder is alive is cached until other processes write, so that calls needn't query it.
 */
export function createStoredHolders(source: RowSource, changes: ChangeLog, write: WriteRow): StoredHolders {
  const dead = new Map<string, boolean>()
  const get = (holder: string): HolderReading | undefined => {
    const buried = changes.holders.get(holder)
    if (buried !== undefined) return buried
    const row = source.holder(holder)
    return row === undefined ? undefined : readRow('holders', holder, () => holderFromRow(row))
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
    beat: (reading) => write('writeHolder', rowFromHolder(reading)),
    bury(reading) {
      changes.holder(reading)
      dead.set(reading.holder, true)
    },
    clear: () => dead.clear(),
  }
}

/** A holder as the values of `writeHolder`. */
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
