import { expect, it } from 'vitest'
import { createPair } from '../fixtures/governor-pair.fixture.ts'
import { edgeOf } from '../scope-edge.ts'

it('finds a registered scope as queued, and as running once it is opened', async () => {
  const { ours, theirs } = createPair()
  const group = await ours.open({ kind: 'group', name: 'group' })
  await edgeOf(group).enlist([{ name: 'a', id: 'a' }])
  const found = (await theirs.find('a'))!
  expect([found.status(), (await ours.find('a'))!.status()]).toEqual(['queued', 'queued'])
  await group.open({ name: 'a', id: 'a' })
  expect([(await theirs.find('a'))!.status(), (await ours.find('a'))!.status()]).toEqual(['running', 'running'])
  expect(found.status()).toBe('running')
})

it('lets another process pause a queued scope, which ends with its group', async () => {
  const { ours, theirs } = createPair()
  const group = await ours.open({ kind: 'group', name: 'group' })
  await edgeOf(group).enlist([
    { name: 'a', id: 'a' },
    { name: 'b', id: 'b' },
  ])
  const found = (await theirs.find('a'))!
  await found.pause()
  expect(found.status()).toBe('paused')
  await group.close()
  expect((await theirs.find('b'))!.status()).toBe('stopped')
})
