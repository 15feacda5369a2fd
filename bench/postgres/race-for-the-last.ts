import type { Limit } from '../../src/core/index.ts'
import { createPostgresStore } from '../../src/stores/postgres/index.ts'
import { judge } from '../judge.ts'
import { CHARGED } from '../spend.ts'
import { ledgerIn } from './ledger-in.ts'
import { startSpending } from './start-spending.ts'

const PROCESSES = 4
const CALLERS = 8
const ROOM = 3_000

/** Four processes spend one budget to its end: exactly what fits is granted. */
export async function raceForTheLast(url: string): Promise<readonly boolean[]> {
  const ledger = await ledgerIn(url, 'race')
  const store = createPostgresStore({ url: ledger })
  const source = { layer: 'call', written: 'modelCalls' } as const
  const limit: Limit = {
    meter: 'modelCalls',
    max: ROOM,
    per: null,
    timeZone: 'UTC',
    action: 'terminate',
    nearing: [],
    source,
  }
  const root = { id: 'budget', name: 'budget', kind: 'lasting', owner: null, limits: [limit] } as const
  await store.open({ parentId: null, scopes: [root], atMs: Date.now() })
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, () => startSpending('stint', ledger, 'budget', CALLERS)),
  )
  const granted = (await Promise.all(processes.map(({ race }) => race()))).map((each) => each.granted)
  for (const each of processes) await each.end()
  const [reading] = (await store.read({ scopeId: 'budget', atMs: Date.now() }))!
  await store.dispose()
  const sum = granted.reduce((total, each) => total + each, 0)
  const { settled } = reading!.totals.modelCalls
  console.log(`\n${PROCESSES} processes spend a budget of ${ROOM} calls: ${granted.join(' + ')} = ${sum} were granted`)
  return [
    judge({
      sentence: (figure) => `${figure} calls more or fewer than the budget allows were granted or charged`,
      value: Math.abs(sum - ROOM) + Math.abs(settled / CHARGED.modelCalls - ROOM),
      unit: '',
      atMost: 0,
    }),
  ]
}
