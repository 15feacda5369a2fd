import { describe, expect, it } from 'vitest'
import type { LedgerStore } from '../../core/index.ts'
import { createMemoryStore } from '../../stores/memory/index.ts'
import { ledgerFile, openLedger } from '../../stores/sqlite/ledger-file.fixture.ts'
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts'
import type { Reservation } from '../call.ts'
import { createGovernor } from '../create-governor.ts'
import type { Governor, Scope } from '../governor.ts'

const SECOND_MS = 1_000
const BUDGET = { name: 'run', id: 'run', limits: { tokens: 100 } } as const

/** Processes that cannot see each other, such as containers on one volume. A frozen one does nothing until it thaws. */
interface Containers {
  readonly clock: ManualClock
  freeze(name: string): void
  thaw(name: string): void
  start(name: string, isHolderAlive?: (holder: string) => boolean | null): Governor
  /** Lets time pass for all of them. SQLite answers in real turns of the event loop, so time passes in small steps. */
  pass(ms: number): Promise<void>
  tokens(): Promise<{ readonly settled: number; readonly reserved: number }>
  ownerOf(id: string): Promise<string | null>
}

function containersOn(store: LedgerStore): Containers {
  const clock = createManualClock()
  const frozen = new Map<string, (() => void)[]>()
  let open = 0
  const through = (name: string): LedgerStore => {
    const operations = Object.entries(store).map(([operation, operate]) => {
      if (typeof operate !== 'function' || operation === 'onAlert') return [operation, operate]
      return [
        operation,
        async (request: never) => {
          const asleep = frozen.get(name)
          if (asleep !== undefined) await new Promise<void>((resolve) => asleep.push(resolve))
          open++
          try {
            return await (operate as (request: never) => Promise<unknown>)(request)
          } finally {
            open--
          }
        },
      ]
    })
    return Object.fromEntries(operations) as LedgerStore
  }
  const answered = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    while (open > 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const read = async (scopeId: string) => (await store.read({ scopeId, atMs: clock.wallMs() }))!.at(-1)!
  return {
    clock,
    freeze: (name) => void frozen.set(name, []),
    thaw(name) {
      const asleep = frozen.get(name) ?? []
      frozen.delete(name)
      for (const wake of asleep) wake()
    },
    start: (name, isHolderAlive = () => null) =>
      createGovernor({ store: through(name), clock, holder: name, isHolderAlive }),
    async pass(ms) {
      for (let left = ms; left > 0; left -= 500) {
        await clock.advance(Math.min(500, left))
        for (let turn = 0; turn < 4; turn++) await answered()
      }
    },
    async tokens() {
      const { settled, reserved } = (await read('run')).totals.tokens
      return { settled, reserved }
    },
    ownerOf: async (id) => (await read(id)).owner,
  }
}

async function mustGrant(scope: Scope, tokens: number): Promise<Reservation> {
  const room = await scope.reserve({ tokens }, { waitMs: 0 })
  if (room.kind === 'refused') throw new Error(room.breach.message)
  return room
}

describe.each([
  ['memory', () => createMemoryStore({ isShared: true })],
  ['SQLite', () => openLedger(ledgerFile())],
])('J5: holders in the %s store whose process cannot be observed', (_, createStore) => {
  it('are dead after a minute of silence: their reservations are charged in full, and the rest is freed', async () => {
    const { freeze, start, pass, tokens, ownerOf } = containersOn(createStore())
    const run = await start('A').open(BUDGET)
    await mustGrant(run, 90)
    const other = start('B')
    await pass(10 * SECOND_MS)
    freeze('A')
    await pass(55 * SECOND_MS)
    expect(await tokens()).toEqual({ settled: 0, reserved: 90 })
    await pass(15 * SECOND_MS)
    expect(await tokens()).toEqual({ settled: 90, reserved: 0 })
    const again = await other.open(BUDGET)
    expect(await ownerOf('run')).toBe('B')
    await mustGrant(again, 10)
  })

  it('are alive while they send heartbeats, however long a call takes', async () => {
    const { start, pass, tokens, ownerOf } = containersOn(createStore())
    const run = await start('A').open(BUDGET)
    const room = await mustGrant(run, 90)
    start('B')
    await pass(600 * SECOND_MS)
    expect([await tokens(), await ownerOf('run')]).toEqual([{ settled: 0, reserved: 90 }, 'A'])
    await room.settle({ tokens: 7 })
    expect(await tokens()).toEqual({ settled: 7, reserved: 0 })
  })

  it('are not declared dead because the store could not be reached', async () => {
    const { freeze, start, pass, tokens } = containersOn(createStore())
    await mustGrant(await start('A').open(BUDGET), 90)
    start('B')
    await pass(10 * SECOND_MS)
    for (const name of ['A', 'B']) freeze(name)
    await pass(3_600 * SECOND_MS)
    // Neither a process that comes back nor a new one has observed a minute of silence.
    start('C')
    await pass(50 * SECOND_MS)
    expect(await tokens()).toEqual({ settled: 0, reserved: 90 })
    await pass(20 * SECOND_MS)
    expect(await tokens()).toEqual({ settled: 90, reserved: 0 })
  })

  it('are alive despite their silence if the process can be observed: a machine that slept', async () => {
    const { freeze, start, pass, tokens } = containersOn(createStore())
    await mustGrant(await start('A').open(BUDGET), 90)
    start('B', (holder) => (holder === 'A' ? true : null))
    freeze('A')
    await pass(300 * SECOND_MS)
    expect(await tokens()).toEqual({ settled: 0, reserved: 90 })
  })

  it('that wake up late correct their charges, take a new holder and continue', async () => {
    const { freeze, thaw, start, pass, tokens, ownerOf } = containersOn(createStore())
    const run = await start('A').open(BUDGET)
    const room = await mustGrant(run, 90)
    start('B')
    await pass(10 * SECOND_MS)
    freeze('A')
    await pass(70 * SECOND_MS)
    expect(await tokens()).toEqual({ settled: 90, reserved: 0 })
    thaw('A')
    await room.settle({ tokens: 5 })
    expect(await tokens()).toEqual({ settled: 5, reserved: 0 })
    await mustGrant(run, 20)
    expect([run.status(), await ownerOf('run')]).toEqual(['running', 'A (2)'])
    await pass(120 * SECOND_MS)
    expect(await tokens()).toEqual({ settled: 5, reserved: 20 })
  })

  it('that wake up late send nothing more in a run that another process has taken over', async () => {
    const { freeze, thaw, start, pass, ownerOf } = containersOn(createStore())
    const run = await start('A').open(BUDGET)
    const other = start('B')
    await pass(10 * SECOND_MS)
    freeze('A')
    await pass(70 * SECOND_MS)
    await other.open(BUDGET)
    thaw('A')
    await expect(run.reserve({ tokens: 1 })).rejects.toMatchObject({ code: 'scope_closed' })
    expect([run.status(), run.signal.aborted, await ownerOf('run')]).toEqual(['detached', true, 'B'])
  })

  it('send a heartbeat every five seconds while they have something open, and none while idle', async () => {
    const store = createStore()
    let beats = 0
    const beat: LedgerStore['beat'] = (request) => {
      beats++
      return store.beat(request)
    }
    const { start, pass } = containersOn({ ...store, beat })
    const governor = start('A')
    await pass(30 * SECOND_MS)
    expect(beats).toBe(0)
    const run = await governor.open(BUDGET)
    await pass(30 * SECOND_MS)
    expect(beats).toBe(6)
    await run.close()
    await pass(30 * SECOND_MS)
    expect(beats).toBe(6)
  })
})
