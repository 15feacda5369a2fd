import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../../testing/index.ts'
import { createGroupCommit } from './create-group-commit.ts'
import type { GroupCommitOptions } from './group-commit.ts'

class Busy extends Error {}

/** A database that is a list, to which a transaction is added on commit. `gathers`: a transaction waits for more. */
function setUp(options: Partial<GroupCommitOptions> = {}, { gathers = false } = {}) {
  const clock = createManualClock()
  const calls: string[] = []
  const committed: string[] = []
  /** What the next calls throw, by name; when none is left, they succeed. */
  const failures: Record<string, Error[]> = { begin: [], commit: [], rollback: [] }
  let written: string[] | null = null
  let rollbacks = 0

  function call(name: string): void {
    calls.push(name)
    const failure = failures[name]?.shift()
    if (failure !== undefined) throw failure
  }

  const groupCommit = createGroupCommit({
    begin() {
      call('begin')
      written = []
    },
    commit() {
      call('commit')
      committed.push(...(written ?? []))
      written = null
    },
    rollback() {
      written = null
      call('rollback')
    },
    isBusy: (error) => error instanceof Busy,
    onRollback: () => void rollbacks++,
    clock,
    random: () => 0.5,
    ...(gathers ? {} : { schedule: setImmediate }),
    ...options,
  })

  const write = (text: string) =>
    groupCommit.run(() => {
      written?.push(text)
      return text
    })
  const fail = (message: string) =>
    groupCommit.run(() => {
      written?.push('half')
      throw new Error(message)
    })
  return { groupCommit, clock, calls, committed, failures, write, fail, rollbacks: () => rollbacks }
}

const settled = (promises: readonly Promise<unknown>[]) => Promise.allSettled(promises)

describe('a transaction', () => {
  it('waits a few turns of the event loop for further operations', async () => {
    const { write, calls, committed } = setUp({}, { gathers: true })
    const first = Promise.all([write('a'), write('b')])
    await turns(2)
    await Promise.all([first, write('c')])
    expect(calls).toEqual(['begin', 'commit'])
    expect(committed).toEqual(['a', 'b', 'c'])
  })

  it('does not wait for others if one operation is alone after a turn, and says so to the sync', async () => {
    const alone: boolean[] = []
    const makeDurable = async (isAlone: boolean) => void alone.push(isAlone)
    const { write, calls } = setUp({ maxBatch: 2, makeDurable }, { gathers: true })
    const first = write('a')
    await turns(2)
    expect(calls).toEqual(['begin', 'commit'])
    await first
    await Promise.all(['b', 'c', 'd'].map(write))
    expect(alone).toEqual([true, false, true])
  })

  it('does not wait if the batch is full', async () => {
    const { write, calls } = setUp({ maxBatch: 2 }, { gathers: true })
    const full = Promise.all([write('a'), write('b')])
    await turns(2)
    expect(calls).toEqual(['begin', 'commit'])
    await full
  })
})

/** Long enough for anything that needs no real time. */
async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const codeOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'fulfilled' ? outcome.value : (outcome.reason.code ?? outcome.reason.message)

describe('a group commit', () => {
  it('puts concurrent operations into one transaction, in order', async () => {
    const { write, calls, committed } = setUp()
    expect(await Promise.all(['a', 'b', 'c'].map(write))).toEqual(['a', 'b', 'c'])
    expect(calls).toEqual(['begin', 'commit'])
    expect(committed).toEqual(['a', 'b', 'c'])
  })

  it('takes at most one batch, and the others after it', async () => {
    const { write, calls, committed } = setUp({ maxBatch: 2 })
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map(write))
    expect(calls).toEqual(['begin', 'commit', 'begin', 'commit', 'begin', 'commit'])
    expect(committed).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('answers no operation before the commit', async () => {
    const answered: string[] = []
    const { write, groupCommit, committed } = setUp()
    void write('a').then(() => answered.push(`a, with ${committed.length} committed`))
    await groupCommit.run(() => answered.push('in the transaction'))
    expect(answered).toEqual(['in the transaction', 'a, with 1 committed'])
  })

  it('starts on the given schedule', async () => {
    const scheduled: (() => void)[] = []
    const { write, calls } = setUp({ schedule: (callback) => void scheduled.push(callback) })
    const done = write('a')
    await Promise.resolve()
    expect([calls, scheduled.length]).toEqual([[], 1])
    scheduled.shift()?.()
    await done
    expect(calls).toEqual(['begin', 'commit'])
  })

  it('fails only the operation that throws, with its own error, and keeps nothing of it', async () => {
    const { write, fail, committed, rollbacks } = setUp()
    const outcomes = await settled([write('a'), write('b'), fail('wrong'), write('c'), fail('too'), write('d')])
    expect(outcomes.map(codeOf)).toEqual(['a', 'b', 'wrong', 'c', 'too', 'd'])
    expect(committed).toEqual(['a', 'b', 'c', 'd'])
    expect(rollbacks()).toBeGreaterThan(0)
  })

  it('translates the error of an operation', async () => {
    const { fail } = setUp({ toError: (error) => new Error(`meaning of ${(error as Error).message}`) })
    await expect(fail('it')).rejects.toThrow('meaning of it')
  })

  it('refuses an asynchronous operation', async () => {
    const { groupCommit, write } = setUp()
    const outcomes = await settled([groupCommit.run(async () => 'later'), write('a')])
    expect(outcomes.map(codeOf)).toEqual(['An operation of a transaction must be synchronous.', 'a'])
  })

  it('uses a read transaction if all operations only read', async () => {
    const calls: string[] = []
    const { groupCommit, write } = setUp({ beginRead: () => void calls.push('read') })
    const read = () => groupCommit.run(() => 'seen', { reads: true })
    await Promise.all([read(), read()])
    expect(calls).toEqual(['read'])
    await Promise.all([read(), write('a')])
    expect(calls).toEqual(['read'])
  })
})

describe('a commit that fails', () => {
  it('fails everything in it, clearly, and what follows works again', async () => {
    const { write, failures, committed, rollbacks } = setUp()
    failures.commit?.push(new Error('disk I/O error'))
    const outcomes = await settled([write('a'), write('b')])
    expect(outcomes).toMatchObject([1, 2].map(() => ({ reason: { code: 'store_unavailable', retryable: true } })))
    expect(outcomes[0]).toMatchObject({ reason: { message: expect.stringContaining('disk I/O error') } })
    expect(rollbacks()).toBe(1)
    await write('c')
    expect(committed).toEqual(['c'])
  })

  it('is not hidden by a rollback that fails too', async () => {
    const { write, failures, rollbacks } = setUp()
    failures.commit?.push(new Error('disk I/O error'))
    failures.rollback?.push(new Error('no transaction is active'))
    await expect(write('a')).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(rollbacks()).toBe(1)
  })

  it('is retried while others read, with the transaction open', async () => {
    const { write, failures, calls, clock } = setUp()
    failures.commit?.push(new Busy(), new Busy())
    const done = write('a')
    await clock.advance(100)
    expect(await done).toBe('a')
    expect(calls).toEqual(['begin', 'commit', 'commit', 'commit'])
  })

  it('gives up at the deadline', async () => {
    const { write, failures, clock, rollbacks } = setUp({ deadlineMs: 50 })
    failures.commit?.push(...Array.from({ length: 100 }, () => new Busy()))
    const outcome = settled([write('a')])
    await clock.advance(200)
    expect((await outcome).map(codeOf)).toEqual(['store_busy'])
    expect(rollbacks()).toBe(1)
  })

  it('is reported the same way if the transaction cannot begin', async () => {
    const { write, failures, committed } = setUp()
    failures.begin?.push(new Error('disk I/O error'))
    expect((await settled([write('a'), write('b')])).map(codeOf)).toEqual(['store_unavailable', 'store_unavailable'])
    await write('c')
    expect(committed).toEqual(['c'])
  })
})

describe('a lock that another process has', () => {
  it('is tried for again, and later operations join', async () => {
    const { write, failures, calls, clock } = setUp()
    failures.begin?.push(new Busy(), new Busy(), new Busy())
    const first = write('a')
    await clock.advance(2)
    const second = write('b')
    await clock.advance(100)
    expect(await Promise.all([first, second])).toEqual(['a', 'b'])
    expect(calls).toEqual(['begin', 'begin', 'begin', 'begin', 'commit'])
  })

  it('is waited for up to the deadline of each operation, not longer', async () => {
    const { write, failures, clock, committed } = setUp({ deadlineMs: 1000 })
    failures.begin?.push(...Array.from({ length: 10_000 }, () => new Busy()))
    const early = settled([write('a')])
    await clock.advance(500)
    const late = settled([write('b')])
    await clock.advance(600)
    const [outcome] = await early
    expect(outcome).toMatchObject({ reason: { code: 'store_busy', retryable: true } })
    failures.begin = []
    await clock.advance(100)
    expect((await late).map(codeOf)).toEqual(['b'])
    expect(committed).toEqual(['b'])
  })

  it('that only shows during an operation rolls the batch back, and all of it is retried', async () => {
    const { groupCommit, write, clock, committed } = setUp()
    let attempts = 0
    const reading = groupCommit.run(() => {
      if (attempts++ === 0) throw new Busy()
      return 'read'
    })
    const writing = write('a')
    await clock.advance(100)
    expect(await Promise.all([reading, writing])).toEqual(['read', 'a'])
    expect(committed).toEqual(['a'])
  })

  it('is left to other processes for a while after a commit, if there are any', async () => {
    let others = true
    const { write, calls, clock } = setUp({ maxBatch: 1, othersActive: () => others })
    const both = Promise.all([write('a'), write('b')])
    await clock.advance(0.9)
    await turnsOfTheLoop()
    expect(calls).toEqual(['begin', 'commit'])
    await clock.advance(10)
    await both
    others = false
    await clock.advance(10)
    await Promise.all([write('c'), write('d')])
    expect(calls).toHaveLength(8)
  })

  it('is free during the sync to disk: after a slow sync there is no further wait', async () => {
    const synced: (() => void)[] = []
    const makeDurable = () => new Promise<void>((resolve) => synced.push(resolve))
    const { write, calls, clock } = setUp({ maxBatch: 1, othersActive: () => true, makeDurable })
    const both = Promise.all([write('a'), write('b')])
    await turnsOfTheLoop()
    await clock.advance(5)
    synced.shift()!()
    await turnsOfTheLoop()
    expect(calls).toEqual(['begin', 'commit', 'begin', 'commit'])
    synced.shift()!()
    await both
  })

  it('treats other processes as active for a second', async () => {
    const { write, failures, calls, clock } = setUp({ maxBatch: 1 })
    failures.begin?.push(new Busy())
    const all = Promise.all([write('a'), write('b')])
    await clock.advance(1.5)
    await turnsOfTheLoop()
    expect(calls).toEqual(['begin', 'begin', 'commit'])
    await clock.advance(10)
    await all
  })
})

describe('the queue', () => {
  it('is bounded: further operations are refused immediately', async () => {
    const { write } = setUp({ maxQueue: 2 })
    const outcomes = await settled([write('a'), write('b'), write('c')])
    expect(outcomes.map(codeOf)).toEqual(['a', 'b', 'store_busy'])
    expect(await write('d')).toBe('d')
  })

  it('is emptied by close, which accepts nothing more', async () => {
    const { groupCommit, write, committed } = setUp()
    const last = write('a')
    await Promise.all([groupCommit.close(), groupCommit.close()])
    expect(committed).toEqual(['a'])
    await last
    await expect(write('b')).rejects.toMatchObject({ code: 'store_unavailable', retryable: false })
    await groupCommit.close()
  })

  it('answers a batch only once it is durable, and begins no other before', async () => {
    const syncs: (() => void)[] = []
    const { write, calls } = setUp({ makeDurable: () => new Promise((resolve) => syncs.push(resolve)) })
    const answered: string[] = []
    const first = write('a').then((text) => answered.push(text))
    await expect.poll(() => syncs).toHaveLength(1)
    const second = write('b').then((text) => answered.push(text))
    await turns(5)
    expect([answered, calls]).toEqual([[], ['begin', 'commit']])
    syncs[0]!()
    await first
    await expect.poll(() => syncs).toHaveLength(2)
    syncs[1]!()
    await second
    expect(answered).toEqual(['a', 'b'])
  })

  it('fails a whole batch that could not be made durable, as unavailable', async () => {
    const { write } = setUp({ makeDurable: () => Promise.reject(new Error('the disk is gone')) })
    const outcomes = await settled([write('a'), write('b')])
    expect(outcomes).toMatchObject([
      { reason: { code: 'store_unavailable' } },
      { reason: { code: 'store_unavailable' } },
    ])
  })

  it('does not make readers wait for the disk', async () => {
    const { groupCommit } = setUp({ makeDurable: () => Promise.reject(new Error('nothing was written')) })
    await expect(groupCommit.run(() => 'read', { reads: true })).resolves.toBe('read')
  })
})

/** Lets everything that is ready run, several times over. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
