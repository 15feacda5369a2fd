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

describe('whether a scope is suspended', () => {
  it('it works from its beginning, between calls and during a call', () => {
    const agent = scope()
    expect(agent.isSuspended).toBe(false)
    const call = beginCall(agent)
    expect(agent.isSuspended).toBe(false)
    endCall(call)
    expect(agent.isSuspended).toBe(false)
  })

  it('it is suspended while it only waits for budget, but not while another of its calls runs', () => {
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

  it('C9: it is suspended while it only waits for suspended children', () => {
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

  it('it works while one call waits for a suspended child and another call does not', () => {
    const parent = scope()
    const delegating = beginCall(parent)
    setPaused(scope(parent, delegating), true)
    expect(parent.isSuspended).toBe(true)
    const reading = beginCall(parent)
    expect(parent.isSuspended).toBe(false)
    endCall(reading)
    expect(parent.isSuspended).toBe(true)
  })

  it('it reports each change to its clock once, up the whole tree', () => {
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
