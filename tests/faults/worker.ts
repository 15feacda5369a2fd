// A process that spends: node worker.ts ORDER. It tells what the ledger has answered, line by line, until it dies.
import { setTimeout as sleep } from 'node:timers/promises'
import { createSqliteStore, pruneLedger } from '../../src/stores/sqlite/index.ts'
import { describeHolder } from '../../src/system/index.ts'
import { createDeath, watchTransactions } from './kill-points.ts'
import { randomFrom } from './random-from.ts'
import type { Told, WorkerOrder } from './told.ts'

const CALLERS = 8
const LARGEST_CALL = 40
const RETRY_MS = 5

// Without an order it has only loaded its code.
if (process.argv[2] === undefined) process.exit(0)
const order = JSON.parse(process.argv[2]) as WorkerOrder
const { file, root, run, seed, pruneBeforeMs } = order
const random = randomFrom(seed)
const reached = createDeath(order.point, order.count)

// Pipes are written synchronously: a reported line arrives even if it is the last.
function tell(told: Told): void {
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

async function pruneAlways(): Promise<never> {
  for (;;) {
    tell({ kind: 'pruning' })
    pruneLedger(file, { beforeMs: pruneBeforeMs, atMs: Date.now() })
    tell({ kind: 'pruned' })
    await sleep(RETRY_MS)
  }
}

async function spendAlways(): Promise<never> {
  const holder = describeHolder()
  tell({ kind: 'holder', holder })
  tell({ kind: 'opening' })
  const store = createSqliteStore({ file, busyMs: 30_000 })
  let calls = 0
  let version = 0

  async function open(parentId: string, id: string): Promise<boolean> {
    const hold = { wanted: { tokens: 50 }, smallest: { tokens: 5 } }
    const name = id.slice(id.lastIndexOf('/') + 1)
    const scope = { id, name, kind: 'agent', owner: holder, limits: [], hold } as const
    const { kind } = await store.open({ parentId, scopes: [scope], atMs: Date.now() })
    if (kind === 'opened') tell({ kind: 'opened', scope: id })
    return kind === 'opened'
  }

  async function call(scopeId: string): Promise<void> {
    const reservationId = `${holder}#${++calls}`
    const tokens = 1 + Math.floor(random() * LARGEST_CALL)
    const atMs = Date.now()
    const outcome = await store.reserve({ reservationId, scopeId, amounts: { tokens, modelCalls: 1 }, holder, atMs })
    if (outcome.kind !== 'granted') {
      tell({ kind: 'breached' })
      await sleep(RETRY_MS)
      return
    }
    tell({ kind: 'granted', reservation: reservationId, scope: scopeId, tokens })
    reached('after a grant was told')
    if (random() < 0.1) {
      await store.release({ reservationId, atMs: Date.now() })
      tell({ kind: 'released', reservation: reservationId })
      return
    }
    const actual = { tokens: Math.floor(random() * (tokens + 1)), modelCalls: 1 }
    tell({ kind: 'settling', reservation: reservationId, tokens: actual.tokens })
    reached('before a settlement')
    const settlement = store.settle({ reservationId, actual, atMs: Date.now() })
    reached('while a settlement waits')
    const { kind } = await settlement
    if (kind !== 'settled') throw new Error(`settled as ${kind}`)
    tell({ kind: 'settled', reservation: reservationId, tokens: actual.tokens })
    reached('after a settlement was told')
  }

  async function keep(scopeId: string): Promise<void> {
    const document = String(++version)
    tell({ kind: 'keeping', scope: scopeId, version })
    const atMs = Date.now()
    if (random() < 0.5) await store.note({ scopeId, document, activeMs: version, atMs })
    else {
      const by = `${holder}/${document}`
      await store.pause({ scopeId, reason: by, document, atMs })
      tell({ kind: 'paused', by })
      const hold = { wanted: { tokens: 50 }, smallest: { tokens: 5 } }
      const { kind } = await store.resume({ scopeId, owner: holder, by, hold, atMs })
      if (kind === 'resumed') tell({ kind: 'resumed', by })
    }
    tell({ kind: 'kept', scope: scopeId, version: Number(document) })
  }

  tell({ kind: 'ready' })
  while (!(await open(root, run))) await sleep(RETRY_MS)
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let child = 1; ; child++) {
      const agent = `${run}/${holder.slice(-12)}-${caller}-${child}`
      const isOpen = await open(run, agent)
      for (let time = 0; time < 20; time++) {
        await call(isOpen ? agent : run)
        if (isOpen && caller === 0 && random() < 0.2) await keep(agent)
      }
      if (!isOpen) continue
      await store.close({ scopeId: agent, status: 'completed', atMs: Date.now() })
      tell({ kind: 'closed', scope: agent })
    }
  })
  return Promise.race(callers)
}

watchTransactions((point) => {
  if (order.point !== 'while pruning') reached(point)
  else if (point === 'in the middle of a transaction') reached('while pruning')
})
await (order.point === 'while pruning' ? pruneAlways() : spendAlways())
