import { describe, expect, it } from 'vitest'
import {
  type Activity,
  beginCall,
  type CallActivity,
  countWait,
  createActivity,
  endActivity,
  endCall,
  setPaused,
} from './activity.ts'

const scope = (parent: Activity | null = null, within: CallActivity | null = null): Activity =>
  createActivity(parent, within, () => {})

describe('whether a scope stands', () => {
  it('works from its beginning, between calls and in a call', () => {
    const agent = scope()
    expect(agent.isSuspended).toBe(false)
    const call = beginCall(agent)
    expect(agent.isSuspended).toBe(false)
    endCall(call)
    expect(agent.isSuspended).toBe(false)
  })

  it('stands while it only waits for budget, and not while another call of it runs', () => {
    const agent = scope()
    countWait(agent, 1)
    expect(agent.isSuspended).toBe(true)
    const call = beginCall(agent)
    expect(agent.isSuspended).toBe(false)
    endCall(call)
    expect(agent.isSuspended).toBe(true)
    countWait(agent, -1)
    expect(agent.isSuspended).toBe(false)
  })

  it('C9: stands while all that it waits for are children that stand', () => {
    const parent = scope()
    const call = beginCall(parent)
    const [first, second] = [scope(parent, call), scope(parent, call)]
    setPaused(first, true)
    expect(parent.isSuspended).toBe(false)
    setPaused(second, true)
    expect(parent.isSuspended).toBe(true)
    setPaused(second, false)
    expect(parent.isSuspended).toBe(false)
    endActivity(second)
    expect(parent.isSuspended).toBe(true)
    endCall(call)
    endActivity(first)
    expect(parent.isSuspended).toBe(false)
  })

  it('works while one call waits for a child that stands and another call does not', () => {
    const parent = scope()
    const delegating = beginCall(parent)
    setPaused(scope(parent, delegating), true)
    expect(parent.isSuspended).toBe(true)
    const reading = beginCall(parent)
    expect(parent.isSuspended).toBe(false)
    endCall(reading)
    expect(parent.isSuspended).toBe(true)
  })

  it('tells its clock each change once, up the whole tree', () => {
    const changes: string[] = []
    const emitted = (name: string) => (stands: boolean) => changes.push(`${name} ${stands ? 'stands' : 'works'}`)
    const root = createActivity(null, null, emitted('root'))
    const rootCall = beginCall(root)
    const child = createActivity(root, rootCall, emitted('child'))
    const childCall = beginCall(child)
    const leaf = createActivity(child, childCall, emitted('leaf'))
    setPaused(leaf, true)
    setPaused(leaf, true)
    setPaused(leaf, false)
    expect(changes).toEqual(['leaf stands', 'child stands', 'root stands', 'leaf works', 'child works', 'root works'])
  })
})
