import { describe, expect, it } from 'vitest'
import { createRoster } from './roster.ts'

describe('createRoster', () => {
  it('knows who is there, however many have come and gone', () => {
    const roster = createRoster<string>()
    const leave = ['a', 'b', 'c'].map((name) => roster.enter(name))
    leave[1]!()
    roster.enter('d')
    expect([...roster].toSorted()).toEqual(['a', 'c', 'd'])
  })

  it('lets each leave once: whoever has its place afterwards stays', () => {
    const roster = createRoster<{ readonly name: string }>()
    const leave = roster.enter({ name: 'first' })
    leave()
    roster.enter({ name: 'second' })
    leave()
    expect([...roster]).toEqual([{ name: 'second' }])
  })

  it('goes through those who were there at the start, if some leave meanwhile', () => {
    const roster = createRoster<() => void>()
    const called: number[] = []
    const leaves = [0, 1, 2].map((index) =>
      roster.enter(() => {
        called.push(index)
        for (const leave of leaves) leave()
      }),
    )
    for (const callback of roster) callback()
    expect(called).toEqual([0, 1, 2])
    expect([...roster]).toEqual([])
  })
})
