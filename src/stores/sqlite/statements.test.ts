import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Database, Statement } from './database/index.ts'
import { MIGRATIONS } from './schema.ts'
import { prepareStatements, type Statements } from './statements.ts'

// Occasional operations over everything: all finished calls of a ledger, a verification, a pruning.
const READS_ALL: readonly (keyof Statements)[] = [
  'callsListed',
  'callIds',
  'countCalls',
  'pruneDenials',
  // Only those from before calls had a table of their own.
  'sumsOfOldCalls',
  'scopesListed',
  'scopeRoots',
]

/** The plan of every statement, by its name. */
function plans(): ReadonlyMap<string, readonly string[]> {
  const database = new DatabaseSync(':memory:')
  for (const migration of MIGRATIONS) database.exec(migration)
  let details: readonly string[] = []
  const explain = (sql: string): Statement => {
    const plan = database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail))
    const all: Statement['all'] = () => {
      details = plan
      return []
    }
    return { run: () => ({ changes: 0 }), get: () => undefined, all, iterate: all }
  }
  const statements = prepareStatements({ prepare: explain } as unknown as Database)
  return new Map(
    Object.entries(statements).map(([name, statement]) => {
      statement.all()
      return [name, details]
    }),
  )
}

describe('statements', () => {
  it('find scopes, calls, events and denials by index, however many there are', () => {
    const scans = [...plans()].flatMap(([name, details]) => {
      const found = details.filter((detail) => /^SCAN (scopes|calls|reservations|events|denials|sums)\b/.test(detail))
      return found.map((detail) => `${name}: ${detail}`)
    })
    const unexpected = scans.filter((scan) => !READS_ALL.some((name) => scan.startsWith(`${name}:`)))
    expect(unexpected).toEqual([
      // The index has only open scopes.
      'scopesListedOpen: SCAN scopes USING INDEX scopes_below',
      // One row.
      'anyOldCall: SCAN reservations USING COVERING INDEX reservations_of_scope',
    ])
  })

  it('read of what is open, or was the last to end, no more than that, however many have ended', () => {
    const all = plans()
    for (const name of ['openRoots', 'scopesListedOpen', 'scopesListedOpenBelow']) {
      expect.soft(all.get(name)?.[0], name).toMatch(/USING INDEX scopes_below\b/)
    }
    expect(all.get('scopesListedEnded')?.join(', ')).toMatch(/^SEARCH events USING COVERING INDEX events_of_ends\b/)
    expect(all.get('scopesListedEnded')?.join(', ')).not.toMatch(/TEMP B-TREE/)
  })
})
