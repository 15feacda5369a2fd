import { expect, it } from 'vitest'
import { childOfCall } from './child-of-call.ts'

it('is the same for the same call, and differs if a call id is reused', () => {
  expect(childOfCall('run', 'call_1', 0)).toBe(childOfCall('run', 'call_1', 0))
  expect(childOfCall('run', 'call_1', 1)).not.toBe(childOfCall('run', 'call_1', 0))
})

it('is never the id of a review, whatever a model calls its tool call', () => {
  expect(childOfCall('run', 'review-1', 0)).not.toBe('run.review-1')
})

it('leaves room for what a group starts', () => {
  expect(childOfCall('r'.repeat(60), 'x'.repeat(200), 0).length).toBeLessThanOrEqual(56)
})
