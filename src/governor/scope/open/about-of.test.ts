import { describe, expect, it } from 'vitest'
import type { LedgerStore } from '../../../core/index.ts'
import { createMemoryStore } from '../../../stores/memory/index.ts'
import { createGovernor } from '../../create-governor.ts'

const aboutIn = async (store: LedgerStore, scopeId: string) =>
  (await store.read({ scopeId, atMs: Date.now() }))!.at(-1)!.about

describe('the description of a scope that a program opens', () => {
  it('is the program’s command line, user and folder, unless the program describes it', async () => {
    const store = createMemoryStore({ isShared: true })
    const governor = createGovernor({ store })
    const budget = await governor.budget('team:core')
    const run = await governor.open({ name: 'triage', within: budget })
    const part = await run.open({ name: 'part' })
    const told = await governor.open({ name: 'told', about: { task: 'Use sk-ant-0123456789abcdef for it' } })
    expect(await aboutIn(store, run.id)).toMatchObject({
      command: expect.stringMatching(/^node .+/),
      by: expect.any(String),
      folder: process.cwd(),
      host: expect.any(String),
    })
    expect([await aboutIn(store, budget.id), await aboutIn(store, part.id)]).toEqual([null, null])
    expect(await aboutIn(store, told.id)).toEqual({ task: 'Use [removed] for it' })
    await governor.close()
  })

  it('has neither commands nor tasks if they are not to be kept', async () => {
    const store = createMemoryStore({ isShared: true })
    const governor = createGovernor({ store, history: { commands: false } })
    const run = await governor.open({ name: 'triage' })
    const told = await governor.open({ name: 'told', about: { task: 'x', command: 'y', by: 'ann' } })
    expect(Object.keys((await aboutIn(store, run.id)) ?? {})).toEqual(['by', 'folder', 'host'])
    expect(await aboutIn(store, told.id)).toEqual({ by: 'ann' })
    expect(() => createGovernor({ history: { command: false } as object })).toThrow(/commands/)
    await governor.close()
  })

  it('is empty if no other process reads the store', async () => {
    const store = createMemoryStore()
    const run = await createGovernor({ store }).open({ name: 'triage' })
    expect(await aboutIn(store, run.id)).toBe(null)
  })
})
