import { DatabaseSync } from 'node:sqlite'

// As SQLite says it.
const FULL = 13

/** Asked at each commit of a transaction that may have written: `true` where the disk has no room for it. */
export type IsDiskFull = () => boolean

let isFull: IsDiskFull = () => false
let isInstalled = false
const writing = new WeakSet<DatabaseSync>()

/** From now on `isDiskFull` is asked, in the place of whoever was before. */
export function fillDisk(isDiskFull: IsDiskFull): void {
  isFull = isDiskFull
  if (isInstalled) return
  isInstalled = true
  const exec = DatabaseSync.prototype.exec
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    if (sql === 'BEGIN IMMEDIATE') writing.add(this)
    else if (sql === 'BEGIN') writing.delete(this)
    if (sql === 'COMMIT' && writing.has(this) && isFull()) {
      throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: FULL })
    }
    exec.call(this, sql)
  }
}
