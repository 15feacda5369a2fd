import { expect, it, onTestFinished } from 'vitest'
import { createMemoryStore } from '../../../stores/memory/index.ts'
import { createManualClock } from '../../../testing/manual-clock.ts'
import { edgeOf } from '../../edge.ts'
import { createGovernor, type Scope } from '../../index.ts'

const SPEC = { key: 'talk', name: 'talk' }
const CALL = { model: 'claude-haiku-5-5', inputTokens: 1_000, maxOutputTokens: 500, messages: 3 }

/** Two governors on one ledger, each of which may have the next request of a conversation. */
async function createTwo() {
  const store = createMemoryStore({ isShared: true })
  const clock = createManualClock()
  const sides = await Promise.all(
    ['first', 'second'].map(async (holder) => {
      const governor = createGovernor({ store, clock, holder, isHolderAlive: () => null })
      onTestFinished(() => governor.close())
      const budget = await governor.budget('team:core', { limits: { tokens: 100_000 } })
      return { governor, join: () => edgeOf(budget).joinConversation(SPEC) }
    }),
  )
  const held = async () => (await store.read({ scopeId: 'team:core', atMs: clock.wallMs() }))![0]!.limits[0]!.held
  return { store, clock, held, first: sides[0]!, second: sides[1]! }
}

function talk(scope: Scope) {
  edgeOf(scope).expectWrapUp({ runsElsewhere: true })
  return scope.callModel(CALL, async () => ({ value: 'hello', usage: { inputTokens: 1_000, outputTokens: 50 } }))
}

it('a conversation is the same scope in both, and what was learned comes along', async () => {
  const { first, second, store, clock } = await createTwo()
  const began = await first.join()
  expect(began.learned).toBeUndefined()
  await talk(began.scope)
  await edgeOf(began.scope).keepLearned('18 left')
  expect((await first.join()).learned).toBeUndefined()
  const moved = await second.join()
  expect(moved.learned).toBe('18 left')
  expect(moved.scope.id).toBe(began.scope.id)
  const owner = async () => (await store.read({ scopeId: moved.scope.id, atMs: clock.wallMs() }))!.at(-1)!.owner
  expect(await owner()).toBe('second')
  const back = await first.join()
  expect([back.scope === began.scope, await owner()]).toEqual([true, 'first'])
})

it('its hold lapses only where its last request was', async () => {
  const { first, second, held } = await createTwo()
  const { scope } = await first.join()
  await talk(scope)
  await edgeOf(scope).keepLearned(null)
  const once = await held()
  expect(once).toBeGreaterThan(0)
  const moved = await second.join()
  await talk(moved.scope)
  expect(await held()).toBe(once)
  await edgeOf(scope).lapseConversation()
  expect(await held()).toBe(once)
  await edgeOf(moved.scope).lapseConversation()
  expect(await held()).toBe(0)
})

it('a call in flight finishes although the conversation has moved, and the process keeps running', async () => {
  const { first, second, store, clock } = await createTwo()
  const { scope } = await first.join()
  let answer = (): void => {}
  const call = scope.callModel(CALL, async ({ signal }) => {
    await new Promise<void>((resolve) => {
      answer = resolve
    })
    return { value: signal.aborted ? 'aborted' : 'finished', usage: { inputTokens: 900, outputTokens: 9 } }
  })
  await second.join()
  // Its former process polls, and sees that.
  await clock.advance(1_000)
  await expect.poll(() => edgeOf(scope).isWithinAnother()).toBe(true)
  answer()
  expect(await call).toMatchObject({ kind: 'done', value: 'finished' })
  const reading = (await store.read({ scopeId: scope.id, atMs: clock.wallMs() }))!.at(-1)!
  expect(reading.totals.tokens).toEqual({ settled: 909, reserved: 0 })
})

it('ends where its last request was, and continues in another scope; a person ends it for good', async () => {
  const { first, second, store, clock } = await createTwo()
  const { scope } = await first.join()
  const moved = await second.join()
  await edgeOf(scope).endConversation()
  const status = async (id: string) => (await store.read({ scopeId: id, atMs: clock.wallMs() }))!.at(-1)!.status
  expect(await status(scope.id)).toBe('running')
  await edgeOf(moved.scope).endConversation()
  expect(await status(scope.id)).toBe('completed')
  const again = await first.join()
  expect(again.scope.id).not.toBe(scope.id)
  expect((await second.join()).scope.id).toBe(again.scope.id)
  await store.close({ scopeId: again.scope.id, status: 'stopped', by: 'ann', atMs: clock.wallMs() })
  await expect(first.join()).rejects.toMatchObject({ code: 'scope_closed' })
  await expect(second.join()).rejects.toMatchObject({ code: 'scope_closed' })
})

it('what another version has stored is ignored', async () => {
  const { first, second, store, clock } = await createTwo()
  const { scope } = await first.join()
  await store.note({ scopeId: scope.id, document: '{"version":99}', atMs: clock.wallMs() })
  expect((await second.join()).learned).toBeNull()
  await store.note({ scopeId: scope.id, document: 'no JSON', atMs: clock.wallMs() })
  expect((await first.join()).learned).toBeNull()
})
