import type { ScopeRow } from '../../../src/server/contract.ts'

/** A running agent without usage. */
export function scopeRowFixture(id: string, more: Partial<ScopeRow> = {}): ScopeRow {
  return {
    id,
    parentId: null,
    name: id,
    path: id,
    kind: 'agent',
    status: 'running',
    agentType: null,
    openedAtMs: 1000,
    closedAtMs: null,
    activeMs: 0,
    openChildren: 0,
    isStale: false,
    pause: null,
    usage: {},
    ...more,
  }
}
