import { describe, expect, it } from 'vitest'
import type { ScopeReading } from '../../core/index.ts'
import { checkLeftCommands } from './check-left-commands.ts'

describe('commands whose stint was killed', () => {
  const marks: Readonly<Record<number, string>> = { 7: 'outer,run-1', 8: 'run-2', 9: 'run-1' }
  const table = {
    list: () => [7, 8, 9, 10].map((pid) => ({ pid, parentPid: 1, groupId: pid, sessionId: pid, start: '1' })),
    look: () => null,
    variableOf: (pid: number) => marks[pid] ?? null,
  }
  const orphan = { id: 'run-1' } as ScopeReading

  it('are listed with how to end them', () => {
    expect(checkLeftCommands([orphan], table)).toMatchObject([
      {
        state: 'problem',
        detail: '2 processes of runs whose stint is dead: pid 7, 9',
        remedy: expect.stringContaining('kill 7 9'),
      },
    ])
  })

  it('include no other process, and are only searched for if a run was left behind', () => {
    expect(checkLeftCommands([{ id: 'run-3' } as ScopeReading], table)).toEqual([])
    expect(checkLeftCommands([], { ...table, list: () => [] })).toEqual([])
  })
})
