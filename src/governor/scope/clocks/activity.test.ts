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
    expect(agent.stands).toBe(false)
    const call = beginCall(agent)
    expect(agent.stands).toBe(false)
    endCall(call)
    expect(agent.stands).toBe(false)
  })

  it('stands while it only waits for budget, and not while another call of it runs', () => {
    const agent = scope()
    countWait(agent, 1)
    expect(agent.stands).toBe(true)
    const call = beginCall(agent)
    expect(agent.stands).toBe(false)
    endCall(call)
    expect(agent.stands).toBe(true)
    countWait(agent, -1)
    expect(agent.stands).toBe(false)
  })

  it('C9: stands while all that it waits for are children that stand', () => {
    const parent = scope()
    const call = beginCall(parent)
    const [first, second] = [scope(parent, call), scope(parent, call)]
    setPaused(first, true)
    expect(parent.stands).toBe(false)
    setPaused(second, true)
    expect(parent.stands).toBe(true)
    setPaused(second, false)
    expect(parent.stands).toBe(false)
    endActivity(second)
    expect(parent.stands).toBe(true)
    endCall(call)
    endActivity(first)
    expect(parent.stands).toBe(false)
  })

  it('works while one call waits for a child that stands and another call does not', () => {
    const parent = scope()
    const delegating = beginCall(parent)
    setPaused(scope(parent, delegating), true)
    expect(parent.stands).toBe(true)
    const reading = beginCall(parent)
    expect(parent.stands).toBe(false)
    endCall(reading)
    expect(parent.stands).toBe(true)
  })

  it('tells its clock each change once, up the whole tree', () => {
    const changes: string[] = []
    const told = (name: string) => (stands: boolean) => changes.push(`${name} ${stands ? 'stands' : 'works'}`)
    const root = createActivity(null, null, told('root'))
    const rootCall = beginCall(root)
    const child = createActivity(root, rootCall, told('child'))
    const childCall = beginCall(child)
    const leaf = createActivity(child, childCall, told('leaf'))
    setPaused(leaf, true)
    setPaused(leaf, true)
    setPaused(leaf, false)
    expect(changes).toEqual(['leaf stands', 'child stands', 'root stands', 'leaf works', 'child works', 'root works'])
  })
})
