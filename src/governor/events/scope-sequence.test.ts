import { describe, expect, it } from 'vitest'
import { createScopeSequence } from './scope-sequence.ts'

describe('createScopeSequence', () => {
  it('numbers each scope from 1, and continues after its end', () => {
    const sequence = createScopeSequence()
    expect([sequence.next('a'), sequence.next('b'), sequence.next('a')]).toEqual([1, 1, 2])
    sequence.end('a')
    expect(sequence.next('a')).toBe(3)
  })

  it('when too many have ended, forgets the one that ended first, and never an open one', () => {
    const sequence = createScopeSequence(2)
    for (const scope of ['open', 'a', 'b', 'c']) sequence.next(scope)
    for (const scope of ['a', 'b', 'c']) sequence.end(scope)
    expect(['open', 'a', 'b', 'c'].map((scope) => sequence.next(scope))).toEqual([2, 1, 2, 2])
  })
})
