import { describe, expect, it } from 'vitest'
import { createPair } from '../../fixtures/governor-pair.fixture.ts'

describe('a scope that is opened again', () => {
  it('with limits that it does not have is refused, unchanged, with how to change them', async () => {
    const { ours, theirs } = createPair()
    const run = await ours.open({ name: 'run', id: 'X' })
    for (const governor of [ours, theirs]) {
      const again = governor.open({ name: 'run', id: 'X', limits: { toolCalls: 1 } })
      await expect(again).rejects.toMatchObject({ code: 'invalid_option' })
      await expect(again).rejects.toThrow('it is already open, with none')
      await expect(again).rejects.toThrow('stint raise X --limit toolCalls=1')
    }
    expect(run.limits()).toEqual([])
  })

  it('is found with looser or equal limits, and refused with tighter ones', async () => {
    const { ours } = createPair()
    const open = (toolCalls: number) => ours.open({ name: 'run', id: 'X', limits: { toolCalls } })
    const run = await open(5)
    expect(await open(5)).toBe(run)
    expect(await open(9)).toBe(run)
    await expect(open(4)).rejects.toThrow('with 5')
    await expect(ours.open({ name: 'run', id: 'X', limits: { toolCalls: 5, cost: 1 } })).rejects.toThrow('cost=1.00')
  })

  it('is refused with an enforced limit if its own only warns', async () => {
    const { ours } = createPair()
    await ours.open({ name: 'run', id: 'X', limits: { toolCalls: 5 }, onLimit: 'warn' })
    await expect(ours.open({ name: 'run', id: 'X', limits: { toolCalls: 5 } })).rejects.toThrow('with 5:warn')
  })

  it('continues after a crash with its usual limits, even if they were raised meanwhile', async () => {
    const { dead, ours, start, theirs } = createPair()
    const limits = { toolCalls: 2 }
    await ours.open({ name: 'run', id: 'X', limits })
    const seen = await theirs.find('X')
    await seen!.setLimits({ toolCalls: 7 })
    dead.add('ours')
    const again = await start('again').open({ name: 'run', id: 'X', limits })
    expect((await again.usage()).toolCalls.limit).toBe(7)
    expect(again.status()).toBe('running')
  })

  it('is taken over even if another process finds its owner dead at the same moment', async () => {
    const { dead, ours, start, store } = createPair()
    await ours.open({ name: 'run', id: 'X' })
    dead.add('ours')
    const open = async (request: Parameters<typeof store.open>[0]) => {
      const outcome = await store.open(request)
      await store.assume({ holder: 'ours', atMs: request.atMs })
      return outcome
    }
    await start('next', { ...store, open }).open({ name: 'run', id: 'X' })
    expect(await store.list({ standing: 'open', atMs: 0 })).toMatchObject([{ owner: 'next', isOrphaned: false }])
  })

  it('is not taken over by a caller with tighter limits than it has', async () => {
    const { dead, ours, start } = createPair()
    await ours.open({ name: 'run', id: 'X', limits: { toolCalls: 5 } })
    dead.add('ours')
    const next = start('next')
    await expect(next.open({ name: 'run', id: 'X', limits: { toolCalls: 1 } })).rejects.toThrow('with 5')
    const scope = await next.open({ name: 'run', id: 'X', limits: { toolCalls: 5 } })
    expect(scope.status()).toBe('running')
  })
})
