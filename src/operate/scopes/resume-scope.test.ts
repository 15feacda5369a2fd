import { describe, expect, it } from 'vitest'
import { limitFixture } from '../../core/limits/limit.fixture.ts'
import { findScope } from '../find/find-scope.ts'
import { createOperator, NOW_MS, type TestOperator } from '../operator.fixture.ts'
import { assertResumable, pausedBy, resumeScope } from './resume-scope.ts'

async function check(operator: TestOperator, id: string): Promise<void> {
  return assertResumable(operator, await findScope(operator, id))
}

async function asking(): Promise<TestOperator> {
  const operator = createOperator()
  await operator.open({ id: 'run', owner: 'dead', limits: [limitFixture('toolCalls', 5)] })
  await operator.open({ id: 'child', owner: 'dead' }, 'run')
  const ask = { requestId: 'ask', scopeId: 'run', key: 'run toolCalls', settled: 5, asked: 5, reason: 'more' }
  await operator.store.ask({ ...ask, expiresAtMs: NOW_MS + 1000, atMs: NOW_MS })
  await operator.store.pause({ scopeId: 'run', reason: 'asks', requestId: 'ask', atMs: NOW_MS })
  return operator
}

describe('a scope can be resumed', () => {
  it('if it is paused or its process died, and not otherwise', async () => {
    const operator = createOperator()
    for (const [id, owner] of Object.entries({ runs: 'here', paused: 'here', left: 'dead', over: 'here' })) {
      await operator.open({ id, owner })
    }
    await operator.store.pause({ scopeId: 'paused', reason: 'by hand', atMs: NOW_MS })
    await operator.store.close({ scopeId: 'over', status: 'limit-reached', atMs: NOW_MS })
    await check(operator, 'paused')
    await check(operator, 'left')
    await expect(check(operator, 'runs')).rejects.toMatchObject({ code: 'not_paused' })
    await expect(check(operator, 'over')).rejects.toThrow('start it with --on-limit pause')
  })

  it('after its request is approved, not before it is answered, and ends with all below it after a denial', async () => {
    const approved = await asking()
    await expect(check(approved, 'run')).rejects.toThrow('is waiting for an answer: stint approve ask')
    await approved.store.answer({ requestId: 'ask', verdict: 'approved', atMs: NOW_MS })
    await check(approved, 'run')
    const denied = await asking()
    await denied.store.answer({ requestId: 'ask', verdict: 'denied', atMs: NOW_MS })
    await expect(check(denied, 'run')).rejects.toThrow('the request was denied: it has ended')
    const ended = await denied.store.list({ standing: 'ended', atMs: NOW_MS })
    expect(ended.map(({ id, status }) => [id, status])).toEqual([
      ['run', 'limit-reached'],
      ['child', 'limit-reached'],
    ])
  })
})

it('a late resume is refused, unless its raise already resumed the scope', async () => {
  const operator = createOperator()
  await operator.open({ id: 'run' })
  await operator.store.pause({ scopeId: 'run', reason: 'by hand', atMs: NOW_MS })
  const paused = await findScope(operator, 'run')
  const resume = (hasMore: boolean) => resumeScope(operator, paused, { hasMore })
  expect(await resume(false)).toMatchObject({ id: 'run', status: 'running', isOwnerAlive: true })
  await expect(resume(false)).rejects.toMatchObject({ code: 'not_paused' })
  expect(await resume(true)).toMatchObject({ status: 'running' })
})

it('the runs that a pause stopped are those below it that nothing else paused', async () => {
  const operator = createOperator()
  await operator.open({ id: 'team', kind: 'lasting', owner: null })
  await operator.open({ id: 'other', kind: 'lasting', owner: null })
  for (const id of ['stopped', 'by-hand', 'runs']) await operator.open({ id }, 'team')
  await operator.open({ id: 'below' }, 'stopped')
  await operator.open({ id: 'elsewhere' }, 'other')
  const pause = (scopeId: string, by: string | null) =>
    operator.store.pause({ scopeId, reason: 'stop', by, atMs: NOW_MS })
  for (const id of ['stopped', 'below', 'elsewhere']) await pause(id, null)
  await pause('by-hand', 'ben')
  await pause('team', 'ann')
  const stopped = await pausedBy(operator, await findScope(operator, 'team'))
  expect(stopped.map(({ id }) => id)).toEqual(['stopped', 'below'])
})
