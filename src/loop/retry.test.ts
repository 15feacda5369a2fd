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
  it('retries the last model, announces each wait, and doubles it each time', async () => {
    const { ask, told } = await stage([[BUSY, BUSY]])
    expect(await ask()).toBe(0)
    expect(told).toEqual(['0 failed', 'again after 1', '0 failed', 'again after 2', '0 answered'])
  })

  it('retries it no more often than allowed', async () => {
    const { ask, told } = await stage([[BUSY, BUSY, BUSY]])
    await expect(ask()).rejects.toThrow('failed')
    expect(told.filter((each) => each === '0 failed')).toHaveLength(3)
  })

  it('retries a busy model silently if another follows, then tries that one, with its own retries', async () => {
    const { ask, told, queue } = await stage([[BUSY, BUSY, BUSY], [BUSY]])
    expect([await ask(), queue.current()]).toEqual([1, 1])
    expect(told).toEqual(['0 failed', '0 failed', '0 failed', '1 failed', 'again after 1', '1 answered'])
  })

  it('retries the same model if its provider is not to blame, after the wait that it asks for', async () => {
    const { ask, told } = await stage([[CONFLICT], []])
    expect(await ask()).toBe(0)
    expect(told).toEqual(['0 failed', 'again after 3', '0 answered'])
  })

  it('does not retry what cannot be answered', async () => {
    const { ask, told } = await stage([[GONE]])
    await expect(ask()).rejects.toThrow('failed')
    expect(told).toEqual(['0 failed'])
  })

  it('does not retry in a run that was paused meanwhile', async () => {
    const { scope, ask, told } = await stage([[BUSY]])
    await scope.pause()
    await expect(ask()).rejects.toThrow('failed')
    expect(told).not.toContain('again after 1')
  })
})
