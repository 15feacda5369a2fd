import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock, LedgerStore } from '../../../src/core/index.ts'
import type { Product } from '../product.ts'
import { fillDisk } from '../world/full-disk.ts'
import type { SimulatedProcess } from '../world/process.ts'
import { FIRST_WALL_MS } from '../world/process.ts'
import { demand } from '../world/violation.ts'
import type { World } from '../world/world.ts'

/** Where the ledger of a seed is kept. */
export interface Stores {
  /** `hit` hears whose transaction a full disk has failed. */
  begin(world: World, hit: (process: SimulatedProcess) => void): OpenedStores | Promise<OpenedStores>
}

export interface OpenedStores {
  /** Whether a full disk is the store's own to notice. */
  readonly hasDisk: boolean
  /** Looks without anybody noticing. */
  readonly observer: LedgerStore
  /** The store as a process has it open. */
  open(process: SimulatedProcess): LedgerStore
  /** Adds the whole ledger up again, where it can. */
  verify(): void
  end(): Promise<void>
}

/** One ledger in memory that all processes share. */
export function createMemoryStores(product: Product): Stores {
  return {
    begin() {
      const store = product.createMemoryStore()
      return { hasDisk: false, observer: store, open: () => store, verify() {}, end: async () => {} }
    },
  }
}

/** A real file for each seed, which every process opens by itself. */
export function createSqliteStores(product: Product): Stores {
  return {
    begin(world, hit) {
      const folder = mkdtempSync(join(tmpdir(), 'stint-simulation-'))
      const file = join(folder, 'ledger.db')
      const stores: LedgerStore[] = []
      const held: (() => void)[] = []
      let isOver = false
      const opened = (clock: Clock, schedule: (callback: () => void) => void): LedgerStore => {
        const store = product.createSqliteStore({
          file,
          clock,
          random: () => world.dice.unit(),
          schedule,
          sync: 'within',
        })
        stores.push(store)
        return store
      }
      fillDisk(() => {
        const process = world.current as SimulatedProcess | null
        if (process === null || process.storeFaults.fullDisk === 0) return false
        process.storeFaults.fullDisk--
        hit(process)
        return true
      })
      return {
        hasDisk: true,
        observer: opened(observerClock(world), queueMicrotask),
        open: (process) =>
          opened(process.clock, (callback) => {
            // What a dead process has queued never runs, but must run in the end so that its file can be closed.
            const once = (): void => {
              if (held.includes(callback)) held.splice(held.indexOf(callback), 1)
              callback()
            }
            held.push(callback)
            if (isOver) queueMicrotask(once)
            else world.after(0, once, process)
          }),
        verify() {
          const { ok, problems } = product.verifyLedger(file)
          demand(ok, 'counters = journal', () => `the ledger does not add up: ${JSON.stringify(problems.slice(0, 3))}`)
        },
        async end() {
          isOver = true
          for (const callback of held.splice(0)) callback()
          for (const store of stores) await Promise.race([store.dispose(), nextTurn()])
          rmSync(folder, { recursive: true, force: true })
        },
      }
    },
  }
}

/** It never waits, so that looking takes no time. */
export function observerClock(world: World): Clock {
  return {
    wallMs: () => Math.floor(FIRST_WALL_MS + world.nowMs),
    monotonicMs: () => world.nowMs,
    after(delayMs, callback) {
      if (delayMs > 10) return world.after(delayMs, callback)
      let isCancelled = false
      queueMicrotask(() => {
        if (!isCancelled) callback()
      })
      return () => {
        isCancelled = true
      }
    },
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
