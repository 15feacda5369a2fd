import { expect, it } from 'vitest'
import { createCli, NOW_MS } from '../cli.fixture.ts'

const AGAIN_INSIDE = 'nobody gives more to themselves'

/** A `stint` that an agent starts from its shell. */
async function createInside(env: Readonly<Record<string, string>> = { STINT_RUN: 'run-1,run-1.3' }) {
  const cli = createCli({ env })
  await cli.open({ id: 'team', kind: 'lasting', owner: null }, { toolCalls: 100 })
  await cli.open({ id: 'run-1' }, { toolCalls: { max: 5, action: 'ask' } }, 'team')
  await cli.open({ id: 'child' }, { toolCalls: 2 }, 'run-1')
  await cli.open({ id: 'other' }, { toolCalls: 2 })
  await cli.askForMore('run-1', 'more')
  const maxOf = async (scopeId: string) =>
    (await cli.store.read({ scopeId, atMs: NOW_MS }))?.at(-1)?.limits[0]?.limit.max
  return { ...cli, maxOf }
}

it.each([
  ['raise', 'run-1', '--limit', 'toolCalls=500'],
  ['raise', 'team', '--limit', 'toolCalls=500'],
  ['approve', 'ask-1'],
  ['resume', 'run-1', '--add', 'toolCalls=10'],
  ['budget', 'set', 'team', '--limit', 'toolCalls=500'],
  ['budget', 'raise', 'team', '--limit', 'toolCalls=500'],
])('an agent cannot give itself more from its shell: stint %s %s', async (...args) => {
  const cli = await createInside()
  const { exitCode, stderr } = await cli.run(...args)
  expect({ exitCode, isSaid: stderr.includes(AGAIN_INSIDE) }).toEqual({ exitCode: 1, isSaid: true })
  expect([await cli.maxOf('run-1'), await cli.maxOf('team')]).toEqual([5, 100])
})

it('what a run has started can be given more from inside of it, and so can what is another’s', async () => {
  const cli = await createInside()
  expect(await cli.run('raise', 'child', '--limit', 'toolCalls=4')).toMatchObject({ exitCode: 0 })
  expect(await cli.run('raise', 'other', '--limit', 'toolCalls=4')).toMatchObject({ exitCode: 0 })
})

it('a run of another ledger keeps nobody from anything in this one', async () => {
  const cli = await createInside({ STINT_RUN: 'of-another-ledger,of-another-ledger.1' })
  expect(await cli.run('raise', 'run-1', '--limit', 'toolCalls=500')).toMatchObject({ exitCode: 0 })
})
