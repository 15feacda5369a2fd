import fc from 'fast-check'
import { afterAll, vi } from 'vitest'
import { TEST_SEED } from './test-seed.ts'

// Every property starts from the same seed, unless it names one of its own.
fc.configureGlobal({ seed: TEST_SEED })

// Files of one process follow each other: a clock that one of them stopped would stand still for all that come after.
afterAll(() => {
  if (!vi.isFakeTimers()) return
  vi.useRealTimers()
  throw new Error('This file leaves fake timers behind: end them with vi.useRealTimers().')
})
