import { describe, expect, it } from 'vitest'
import { parseLimits, resolveLimits } from '../../../src/policy/index.ts'
import type { ScopeRow } from '../../../src/server/contract.ts'
import { createLiveTree } from '../../../src/server/live/live-tree.ts'
import { frameBetween } from '../../../src/server/live/stream-frame.ts'
import { createMemoryStore } from '../../../src/stores/memory/index.ts'

const START_MS = Date.UTC(2026, 10, 18, 9)
const HOUR_MS = 3_600_000

/** A tree over a ledger that other processes write, which cannot say which scopes of a tree have changed. */
function createStage() {
  const store = createMemoryStore({ isShared: true })
  const stage = { nowMs: START_MS, dead: new Set<string>() }
  const tree = createLiveTree({
    store,
    nowMs: () => stage.nowMs,
    isHolderAlive: (holder) => !stage.dead.has(holder),
  })
  return {
    store,
    stage,
    tree,
    async open(id: string, parentId: string | null = null, limits: object = {}) {
      const kind = parentId === null ? 'lasting' : 'agent'
      const owner = parentId === null ? null : `owner-of-${id}`
      const resolved = resolveLimits([parseLimits(limits)]).limits
      const scopes = [{ id, name: id, kind, owner, limits: resolved } as const]
      await store.open({ parentId, scopes, atMs: stage.nowMs })
    },
    async spend(scopeId: string, reservationId: string) {
      const amounts = { toolCalls: 1 }
      await store.reserve({ reservationId, scopeId, amounts, holder: 'holder', atMs: stage.nowMs })
      await store.settle({ reservationId, actual: amounts, atMs: stage.nowMs })
    },
    async row(id: string): Promise<ScopeRow | undefined> {
      return (await tree.snapshot(null)).scopes.find((row) => row.id === id)
    },
    /** What changes in the log by the next refresh. */
    async changes(): Promise<readonly string[]> {
      const before = tree.version
      await tree.refresh()
      return (tree.changesAfter(before) ?? []).map(({ kind, id }) => `${kind} ${id}`)
    },
  }
}

describe('the live tree', () => {
  it('sends what changed, and only that, including parents', async () => {
    const { tree, open, spend, changes, row } = createStage()
    for (const team of ['team:a', 'team:b']) {
      await open(team)
      await open(`run of ${team}`, team)
    }
    await tree.refresh()
    expect(await changes()).toEqual([])
    await spend('run of team:a', 'one')
    expect((await changes()).toSorted()).toEqual(['scope run of team:a', 'scope team:a'])
    expect(await row('team:a')).toMatchObject({ usage: { toolCalls: { settled: 1, limit: null, remaining: null } } })
  })

  it('sends a new window when it begins, although nothing was written', async () => {
    const { stage, tree, open, spend, changes, row } = createStage()
    await open('team', null, { turns: { max: 5, per: 'hour' } })
    await spend('team', 'one')
    await tree.refresh()
    expect((await row('team'))?.usage.toolCalls).toMatchObject({ settled: 1, remaining: 4, per: 'hour' })
    stage.nowMs += HOUR_MS
    expect(await changes()).toEqual(['scope team'])
    expect((await row('team'))?.usage.toolCalls).toMatchObject({ settled: 0, remaining: 5 })
  })

  it('sends that a process has died, although it did not report that', async () => {
    const { stage, tree, open, changes, row } = createStage()
    await open('team')
    await open('run', 'team')
    await tree.refresh()
    expect(await row('run')).toMatchObject({ isStale: false })
    stage.dead.add('owner-of-run')
    stage.nowMs += 5_000
    expect(await changes()).toEqual(['scope run'])
    expect(await row('run')).toMatchObject({ isStale: true, status: 'running' })
  })

  it('keeps what ended for an hour', async () => {
    const { stage, store, tree, open, changes, row } = createStage()
    await open('team')
    await open('run', 'team')
    await tree.refresh()
    await store.close({ scopeId: 'run', status: 'completed', atMs: stage.nowMs })
    expect(await changes()).toContain('scope run')
    expect(await row('run')).toMatchObject({ status: 'completed' })
    stage.nowMs += HOUR_MS + 1
    expect(await changes()).toContain('gone run')
    expect(await row('run')).toBe(undefined)
  })
})

describe('a frame', () => {
  it('contains each scope once, in its latest state, as far as its reader may see it', async () => {
    const { tree, open, spend } = createStage()
    for (const team of ['ours', 'foreign']) await open(team)
    await tree.refresh()
    const from = tree.version
    for (const id of ['a', 'b', 'c']) {
      await spend('ours', `ours ${id}`)
      await spend('foreign', `foreign ${id}`)
      await tree.refresh()
    }
    const text = String(frameBetween(tree, from, tree.version, 'ours'))
    expect(text.match(/"id":"ours"/g)).toHaveLength(1)
    expect(text).toContain('"settled":3')
    expect(text).not.toContain('foreign')
    expect(text).toMatch(new RegExp(`\\nid: ${tree.cursorOf(tree.version)}\\n\\n$`))
    expect(frameBetween(tree, tree.version, tree.version, 'ours')).toBe(null)
  })

  it('is reset if what it needs is pruned, or too much', async () => {
    const { tree, open } = createStage()
    await open('team')
    for (let number = 0; number < 1_500; number++) await open(`run ${number} ${'x'.repeat(180)}`, 'team')
    await tree.refresh()
    expect(frameBetween(tree, 0, tree.version, null)).toBe('reset')
    expect(frameBetween(tree, -1, tree.version, null)).toBe('reset')
    expect(frameBetween(tree, tree.version - 10, tree.version, null)).toBeInstanceOf(Buffer)
  })
})
