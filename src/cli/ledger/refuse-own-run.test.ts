import { expect, it } from 'vitest'
import { createCli, NOW_MS } from '../cli.fixture.ts'

const AGAIN_INSIDE = /a run cannot give itself more|is refused inside the run "team\/run-1"/

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
  ['budget', 'set', 'user:bob', '--limit', 'toolCalls=500'],
])('an agent cannot raise its own limits from its shell: stint %s %s', async (...args) => {
  const cli = await createInside()
  const { exitCode, stderr } = await cli.run(...args)
  expect({ exitCode, isShown: AGAIN_INSIDE.test(stderr) }).toEqual({ exitCode: 1, isShown: true })
  expect([await cli.maxOf('run-1'), await cli.maxOf('team')]).toEqual([5, 100])
})

it.each([
  ['forgive', 'call-1', '--reason', 'x'],
  ['settle', 'call-1', '--amount', 'toolCalls=0'],
])('an agent cannot refund the charges of a run below it from its shell: stint assumed %s', async (...args) => {
  const cli = await createInside()
  await cli.store.reserve({
    reservationId: 'call-1',
    scopeId: 'child',
    amounts: { toolCalls: 1 },
    holder: 'h',
    atMs: 1,
  })
  await cli.store.settle({ reservationId: 'call-1', assumed: true, atMs: 1 })
  const { exitCode, stderr } = await cli.run('assumed', ...args)
  expect({ exitCode, isShown: AGAIN_INSIDE.test(stderr) }).toEqual({ exitCode: 1, isShown: true })
  const [team] = (await cli.store.read({ scopeId: 'team', atMs: NOW_MS }))!
  expect(team!.totals.toolCalls).toMatchObject({ settled: 1 })
})

it('what a run started can be raised from inside of it, and so can unrelated runs', async () => {
  const cli = await createInside()
  expect(await cli.run('raise', 'child', '--limit', 'toolCalls=4')).toMatchObject({ exitCode: 0 })
  expect(await cli.run('raise', 'other', '--limit', 'toolCalls=4')).toMatchObject({ exitCode: 0 })
})

it('a run in another ledger is not affected', async () => {
  const cli = await createInside({ STINT_RUN: 'of-another-ledger,of-another-ledger.1' })
  expect(await cli.run('raise', 'run-1', '--limit', 'toolCalls=500')).toMatchObject({ exitCode: 0 })
})
