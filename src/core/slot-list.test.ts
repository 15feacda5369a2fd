import { describe, expect, it } from 'vitest'
import { createSlotList } from './slot-list.ts'

describe('createSlotList', () => {
  it('lists its members, however many have come and gone', () => {
    const slots = createSlotList<string>()
    const leave = ['a', 'b', 'c'].map((name) => slots.enter(name))
    leave[1]!()
    slots.enter('d')
    expect([...slots].toSorted()).toEqual(['a', 'c', 'd'])
  })

  it('removes each member once: the next one in its slot stays', () => {
    const slots = createSlotList<{ readonly name: string }>()
    const leave = slots.enter({ name: 'first' })
    leave()
    slots.enter({ name: 'second' })
    leave()
    expect([...slots]).toEqual([{ name: 'second' }])
  })

  it('iterates over the members at the start, even if some leave meanwhile', () => {
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
