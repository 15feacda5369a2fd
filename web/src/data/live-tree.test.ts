import { describe, expect, it } from 'vitest'
import { createLiveTree } from './live-tree.ts'
import { scopeRowFixture as row } from './scope-row.fixture.ts'

describe('the live tree', () => {
  it('shows budgets by name, then open scopes, the newest first', () => {
    const tree = createLiveTree()
    tree.replace([
      row('old', { openedAtMs: 1 }),
      row('ended', { openedAtMs: 9, closedAtMs: 10, status: 'completed' }),
      row('team:b', { kind: 'lasting' }),
      row('new', { openedAtMs: 2 }),
      row('team:a', { kind: 'lasting' }),
    ])
    expect(tree.childrenOf(null)).toEqual(['team:a', 'team:b', 'new', 'old', 'ended'])
  })

  it('shows a scope whose parent is hidden as a root', () => {
    const tree = createLiveTree()
    tree.replace([row('run', { parentId: 'hidden' }), row('child', { parentId: 'run' })])
    expect(tree.childrenOf(null)).toEqual(['run'])
    expect(tree.childrenOf('run')).toEqual(['child'])
  })

  it('changes a scope in place, and moves it when it ends', () => {
    const tree = createLiveTree()
    tree.replace([row('a', { openedAtMs: 2 }), row('b', { openedAtMs: 1 })])
    const { structure } = tree
    tree.change([row('a', { openedAtMs: 2, activeMs: 5 })], [])
    expect(tree.structure).toBe(structure)
    expect(tree.scopes.get('a')?.activeMs).toBe(5)
    tree.change([row('a', { openedAtMs: 2, closedAtMs: 3, status: 'completed' })], [])
    expect(tree.structure).toBeGreaterThan(structure)
    expect(tree.childrenOf(null)).toEqual(['b', 'a'])
  })

  it('removes a scope with everything below it', () => {
    const tree = createLiveTree()
    tree.replace([row('run'), row('child', { parentId: 'run' }), row('deep', { parentId: 'child' })])
    tree.change([], ['run', 'unknown'])
    expect([...tree.scopes.keys()]).toEqual([])
    expect(tree.childrenOf(null)).toEqual([])
  })
})
