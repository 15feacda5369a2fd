// Compiled against the packed types and run on each Node by packed.test.ts: what a user of the package would write.
import {
  createGovernor,
  createMemoryStore,
  estimateCost,
  isStintError,
  type Limit,
  parseLimit,
  resolveLimits,
} from 'stint'
import type { LedgerStore, ReserveOutcome } from 'stint/core'
import { createSqliteStore, verifyLedger } from 'stint/stores/sqlite'

interface Findings {
  readonly limits: readonly string[]
  readonly refused: string
  readonly costNanoUsd: number
  readonly first: ReserveOutcome['kind']
  readonly second: ReserveOutcome['kind']
  readonly settled: number | undefined
  readonly durable: { readonly settled: number; readonly isSound: boolean }
}

/** Parses limits, reserves and settles in memory and in a file, and prices a call. */
export async function useLibrary(): Promise<Findings> {
  const { limits } = resolveLimits([
    { layer: 'project', limits: { toolCalls: 1, cost: '$2' } },
    { layer: 'call', limits: parseLimit('cost=$1/day:warn') },
  ])
  const store: LedgerStore = createMemoryStore()
  await store.open({
    parentId: null,
    scopes: [{ id: 'run-1', name: 'triage', kind: 'agent', limits, owner: null }],
    atMs: 0,
  })
  const asked = { scopeId: 'run-1', amounts: { toolCalls: 1 }, holder: 'this process', atMs: 1 }
  const first = await store.reserve({ ...asked, reservationId: 'call-1' })
  await store.settle({ reservationId: 'call-1', actual: { toolCalls: 1 }, atMs: 2 })
  const second = await store.reserve({ ...asked, reservationId: 'call-2' })
  const reading = await store.read({ scopeId: 'run-1', atMs: 3 })
  return {
    limits: limits.map(shownAs),
    refused: codeOfRefusal(),
    costNanoUsd: estimateCost({ model: 'claude-sonnet-4-5', usage: { inputTokens: 2000, outputTokens: 1000 } }),
    first: first.kind,
    second: second.kind,
    settled: reading?.at(-1)?.totals.toolCalls.settled,
    durable: await useFile(`ledger-${Math.random()}.db`),
  }
}

/** Spends from a file, opens it again, and adds it up. */
async function useFile(file: string): Promise<Findings['durable']> {
  const store = createSqliteStore({ file })
  const governor = createGovernor({ store })
  const team = await governor.budget('team:core', { limits: { toolCalls: { max: 5, per: 'day' } } })
  const run = await governor.open({ name: 'triage', within: team })
  await run.callTool({ name: 'read' }, () => 'the contents')
  await governor.close()
  await store.dispose()
  const again = createSqliteStore({ file })
  const reading = await again.read({ scopeId: 'team:core', atMs: Date.now() })
  await again.dispose()
  return { settled: reading?.at(-1)?.totals.toolCalls.settled ?? 0, isSound: verifyLedger(file).ok }
}

function shownAs(limit: Limit): string {
  return `${limit.meter}=${limit.max}/${limit.per}:${limit.action}`
}

function codeOfRefusal(): string {
  try {
    parseLimit('mesage=24')
    return 'nothing was refused'
  } catch (error) {
    return isStintError(error) ? error.code : 'an error of another kind'
  }
}
