import { describe, expect, it, onTestFinished } from 'vitest'
import type { LedgerStore, ScopeAbout } from '../../src/core/index.ts'
import { openNestedRun } from '../../src/exec/index.ts'
import { startNestedRunServer } from '../../src/exec/nested/nested-run-server.ts'
import { createRuns } from '../../src/exec/runs/create-runs.ts'
import { createKeyAdmission } from '../../src/gateway/keys/create-key-admission.ts'
import { createGatewayKey, hashGatewayKey } from '../../src/gateway/keys/gateway-key.ts'
import { createGovernor } from '../../src/governor/index.ts'
import { createMemoryStore } from '../../src/stores/memory/index.ts'
import { runAgent } from './gateway/agents.ts'
import { startStage } from './gateway/stage.ts'

const aboutIn = async (store: LedgerStore, scopeId: string) =>
  (await store.read({ scopeId, atMs: Date.now() }))!.at(-1)!.about

/** A run that others may be opened in. */
async function openOuter(history = {}) {
  const store = createMemoryStore()
  const governor = createGovernor({ store, history })
  const runs = createRuns(governor)
  const facts = { ledger: 'memory:', gatewayUrl: 'http://127.0.0.1:4000', prices: new Map(), providers: [] }
  const server = await startNestedRunServer({ runs, ...facts })
  onTestFinished(async () => {
    await server.close()
    await governor.close()
  })
  const outer = await governor.open({ name: 'outer' })
  runs.add(outer)
  return { store, token: server.tokenFor(outer.id) }
}

describe('the history describes', () => {
  it('a nested run by its command, without keys, and without odd texts of its process', async () => {
    const { store, token } = await openOuter()
    const about = { command: 'claude --api-key sk-ant-0123456789abcdef', by: 'ann', other: 'x', host: 5 }
    const open = (name: string, said: unknown) =>
      openNestedRun(token, { name, limits: [], wrapUp: true, about: said as ScopeAbout })
    expect(await aboutIn(store, (await open('inner', about)).id)).toEqual({
      command: 'claude --api-key [removed]',
      by: 'ann',
    })
    expect(await aboutIn(store, (await open('odd', 'x')).id)).toBe(null)
  })

  it('a nested run by nothing, if the outer one keeps no commands', async () => {
    const { store, token } = await openOuter({ commands: false })
    const about = { command: 'claude', by: 'ann' }
    const { id } = await openNestedRun(token, { name: 'inner', limits: [], wrapUp: true, about })
    expect(await aboutIn(store, id)).toEqual({ by: 'ann' })
  })

  it('an agent behind a gateway by its program, its session and the owner of its key', async () => {
    const store = createMemoryStore({ isShared: true })
    const stage = await startStage({ store })
    const headers = { 'x-claude-code-session-id': 's-1', 'x-claude-code-agent-id': 'a1' }
    const once = { isStream: true, mostRounds: 1 }
    for (const agent of ['lead', 'a1']) {
      await runAgent(stage, 'anthropic-messages', { ...once, headers: { ...headers, 'x-claude-code-agent-id': agent } })
    }
    await stage.settle()
    const scopes = await store.list({ standing: 'all', parentId: stage.run.id, atMs: Date.now() })
    expect(scopes.map(({ about }) => about)).toEqual([{ command: 'claude-code session s-1' }])
  })

  it("the owner of a key by the key's label, or else its id", async () => {
    const store = createMemoryStore()
    const governor = createGovernor({ store })
    await governor.budget('team:core')
    const admission = createKeyAdmission(store, governor)
    const [named, plain] = [createGatewayKey(), createGatewayKey()]
    const made = { scopeId: 'team:core', by: 'ann', atMs: Date.now() }
    await store.addKey({ keyId: 'k1', hash: hashGatewayKey(named), name: 'ci', ...made })
    await store.addKey({ keyId: 'k2', hash: hashGatewayKey(plain), ...made })
    expect(admission.nameOf!(named)).toBe(null)
    for (const key of [named, plain]) await admission.scopeOf(key)
    expect([admission.nameOf!(named), admission.nameOf!(plain)]).toEqual(['key ci', 'key k2'])
  })
})
