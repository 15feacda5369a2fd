import { describe, expect, it } from 'vitest'
import { createGovernor } from '../governor/index.ts'
import { createModelQueue, type Failure } from './retry.ts'

const BUSY: Failure = { fault: 'busy', isRetryable: true, waitMs: null }
const GONE: Failure = { fault: 'gone', isRetryable: false, waitMs: null }
const CONFLICT: Failure = { fault: null, isRetryable: true, waitMs: 3 }

class Failed extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super('failed')
    this.failure = failure
  }
}

/** Models that fail this often, in this order, and then answer with their index. */
async function stage(failures: readonly (readonly Failure[])[]) {
  const scope = await createGovernor().open({ name: 'run' })
  const told: string[] = []
  const left = failures.map((each) => [...each])
  const queue = createModelQueue({
    scope,
    models: failures.length,
    retries: 2,
    firstDelayMs: 1,
    retriesLast: true,
    failureOf: (error) => (error as Failed).failure,
    hasReachedLimit: () => false,
    onAttempt: (place, error) => told.push(`${place} ${error === null ? 'answered' : 'failed'}`),
    onRetry: (_, waitMs) => told.push(`again after ${waitMs}`),
  })
  const ask = () =>
    queue.ask(undefined, async (place) => {
      const failure = left[place]!.shift()
      if (failure !== undefined) throw new Failed(failure)
      return place
    })
  return { scope, told, ask, queue }
}

describe('createModelQueue', () => {
  it('asks the last model again, and says so before each wait, twice as long each time', async () => {
    const { ask, told } = await stage([[BUSY, BUSY]])
    expect(await ask()).toBe(0)
    expect(told).toEqual(['0 failed', 'again after 1', '0 failed', 'again after 2', '0 answered'])
  })

  it('asks it no more often than it may', async () => {
    const { ask, told } = await stage([[BUSY, BUSY, BUSY]])
    await expect(ask()).rejects.toThrow('failed')
    expect(told.filter((each) => each === '0 failed')).toHaveLength(3)
  })

  it('asks a busy model that has another behind it again without a word, then the other, which has its own retries', async () => {
    const { ask, told, queue } = await stage([[BUSY, BUSY, BUSY], [BUSY]])
    expect([await ask(), queue.current()]).toEqual([1, 1])
    expect(told).toEqual(['0 failed', '0 failed', '0 failed', '1 failed', 'again after 1', '1 answered'])
  })

  it('asks the same model again where its provider is not to blame, as long as it says', async () => {
    const { ask, told } = await stage([[CONFLICT], []])
    expect(await ask()).toBe(0)
    expect(told).toEqual(['0 failed', 'again after 3', '0 answered'])
  })

  it('does not ask again what cannot be answered', async () => {
    const { ask, told } = await stage([[GONE]])
    await expect(ask()).rejects.toThrow('failed')
    expect(told).toEqual(['0 failed'])
  })

  it('does not ask again in a run that was paused meanwhile', async () => {
    const { scope, ask, told } = await stage([[BUSY]])
    await scope.pause()
    await expect(ask()).rejects.toThrow('failed')
    expect(told).not.toContain('again after 1')
  })
})
