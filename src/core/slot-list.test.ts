import { describe, expect, it } from 'vitest'
import { createSlotList } from './slot-list.ts'

describe('createSlotList', () => {
  it('knows who is there, however many have come and gone', () => {
    const slots = createSlotList<string>()
    const leave = ['a', 'b', 'c'].map((name) => slots.enter(name))
    leave[1]!()
    slots.enter('d')
    expect([...slots].toSorted()).toEqual(['a', 'c', 'd'])
  })

  it('lets each leave once: whoever has its place afterwards stays', () => {
    const slots = createSlotList<{ readonly name: string }>()
    const leave = slots.enter({ name: 'first' })
    leave()
    slots.enter({ name: 'second' })
    leave()
    expect([...slots]).toEqual([{ name: 'second' }])
  })

  it('goes through those who were there at the start, if some leave meanwhile', () => {
    const slots = createSlotList<() => void>()
    const called: number[] = []
    const leaves = [0, 1, 2].map((index) =>
      slots.enter(() => {
        called.push(index)
        for (const leave of leaves) leave()
      }),
    )
    for (const callback of slots) callback()
    expect(called).toEqual([0, 1, 2])
    expect([...slots]).toEqual([])
  })
})
