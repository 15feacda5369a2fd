import postgres from 'postgres'
import type { Clock, LedgerStore } from '../../../src/core/index.ts'
import type { Product } from '../product.ts'
import { nextTurn, observerClock, type Stores } from './stores.ts'

// Each process has a few connections of its own, as on machines of their own.
const CONNECTIONS = 2

/** A schema of a real server for each seed. Virtual time stands still until the server has answered. */
export function createPostgresStores(product: Product, url: string): Stores {
  let seeds = 0
  return {
    async begin(world) {
      const schema = `seed_${process.pid}_${++seeds}`
      await runStatement(url, `CREATE SCHEMA ${schema}`)
      const stores: LedgerStore[] = []
      let underWay = 0
      let wake = (): void => {}

      function opened(clock: Clock): LedgerStore {
        const options = { url: `${url}?schema=${schema}`, connections: CONNECTIONS, clock }
        // Every process goes by its own clock, as the witness does.
        const store = product.createPostgresStore({ ...options, serverTime: () => clock.wallMs() })
        stores.push(store)
        return counted(store)
      }

      /** What is heard between two events would not be the same the next time: only polls count. */
      function counted({ listen: _, ...store }: LedgerStore): LedgerStore {
        const operations = Object.entries(store).map(([name, operate]) => {
          if (typeof operate !== 'function' || name === 'onAlert') return [name, operate]
          return [
            name,
            async (request: never) => {
              underWay++
              try {
                return await (operate as (request: never) => Promise<unknown>)(request)
              } finally {
                if (--underWay === 0) wake()
              }
            },
          ]
        })
        return Object.fromEntries(operations) as LedgerStore
      }

      world.settled = async () => {
        await nextTurn()
        while (underWay > 0) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
          await nextTurn()
        }
      }
      return {
        hasDisk: false,
        observer: opened(observerClock(world)),
        open: ({ clock }) => opened(clock),
        verify() {},
        async end() {
          for (const store of stores) await store.dispose()
          await runStatement(url, `DROP SCHEMA ${schema} CASCADE`)
        },
      }
    },
  }
}

async function runStatement(url: string, text: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(text)
  await sql.end()
}
