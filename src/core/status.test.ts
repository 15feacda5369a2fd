import { describe, expect, it } from 'vitest'
import { countStatuses, groupStatus } from './status.ts'

describe('the status of a group', () => {
  it('H1: is the worst of its members', () => {
    expect(groupStatus(['completed', 'timed-out', 'failed'])).toBe('failed')
    expect(groupStatus(['completed', 'timed-out'])).toBe('timed-out')
    expect(groupStatus(['limit-reached', 'stopped', 'paused'])).toBe('limit-reached')
    expect(groupStatus(['completed', 'paused'])).toBe('paused')
    expect(groupStatus(['detached', 'completed'])).toBe('completed')
    expect(groupStatus(['completed', 'running'])).toBe('running')
    expect(groupStatus(['detached'])).toBe('detached')
    expect(groupStatus([])).toBe('completed')
  })

  it('H1: is reported with all counts', () => {
    expect(countStatuses(['completed', 'timed-out', 'completed'])).toBe('2 completed, 1 timed-out')
    expect(countStatuses([])).toBe('0 results')
  })
})
