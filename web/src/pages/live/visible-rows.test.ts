import { describe, expect, it } from 'vitest'
import { createLiveTree } from '../../data/live-tree.ts'
import { scopeRowFixture as row } from '../../data/scope-row.fixture.ts'
import { type RowFilter, visibleRows } from './visible-rows.ts'

const EVERYTHING: RowFilter = { find: '', status: '', withEnded: true }

function treeOf() {
  const tree = createLiveTree()
  tree.replace([
    row('team', { kind: 'lasting' }),
    row('run', { parentId: 'team', path: 'team/run', agentType: 'Developer' }),
    row('child', { parentId: 'run', path: 'team/run/child', status: 'paused' }),
    row('done', { path: 'done', closedAtMs: 5, status: 'completed' }),
  ])
  return tree
}

function shown(filter: Partial<RowFilter>, closed: readonly string[] = []): readonly string[] {
  const rows = visibleRows(treeOf(), new Set(closed), { ...EVERYTHING, ...filter })
  return rows.map(({ id, level }) => `${'.'.repeat(level)}${id}`)
}

describe('the rows of the tree', () => {
  it('are in order, each below its parent', () => {
    expect(shown({})).toEqual(['team', '.run', '..child', 'done'])
  })

  it('omit closed branches', () => {
    expect(shown({}, ['run'])).toEqual(['team', '.run', 'done'])
  })

  it('omit ended scopes by default', () => {
    expect(shown({ withEnded: false })).toEqual(['team', '.run', '..child'])
    expect(shown({ withEnded: false, status: 'completed' })).toEqual(['done'])
  })

  it('keep the parents of a matching scope, also in a closed branch', () => {
    expect(shown({ find: 'child' }, ['team'])).toEqual(['team', '.run', '..child'])
    expect(shown({ status: 'paused' })).toEqual(['team', '.run', '..child'])
    expect(shown({ find: 'developer' })).toEqual(['team', '.run'])
    expect(shown({ find: 'nowhere' })).toEqual([])
  })

  it('do not offer to open a scope with nothing to show below it', () => {
    const rows = visibleRows(treeOf(), new Set(), { ...EVERYTHING, find: 'run', status: 'running' })
    expect(rows.map(({ id, hasChildren }) => [id, hasChildren])).toEqual([
      ['team', true],
      ['run', false],
    ])
  })
})
