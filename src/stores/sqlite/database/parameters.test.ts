import { describe, expect, it } from 'vitest'
import { countParameters } from './drivers/count-parameters.ts'
import { hasSoundWal } from './drivers/sqlite-version.ts'

describe('the parameters of a statement', () => {
  it.each([
    ['SELECT 1', 0],
    ['INSERT INTO t VALUES (?, ?,?)', 3],
    ["SELECT '?' || ? || 'it''s ?'", 1],
    ['SELECT "a?", `b?`, [c?] FROM t -- why?\nWHERE x = ? /* ? */', 1],
  ])('%s: %i', (sql, count) => {
    expect(countParameters(sql)).toBe(count)
  })

  it.each(['SELECT ?1', 'SELECT :name', 'SELECT @name', 'SELECT $name'])('must not be named or numbered: %s', (sql) => {
    expect(() => countParameters(sql)).toThrow('Only plain ? parameters')
  })
})

describe('a write-ahead log', () => {
  it.each([
    ['3.51.3', true],
    ['3.51.10', true],
    ['3.53.0', true],
    ['4.0.0', true],
    ['3.51.2', false],
    ['3.50.9', false],
    ['3.45.1', false],
  ])('of SQLite %s is sound: %s', (version, isSound) => {
    expect(hasSoundWal(version)).toBe(isSound)
  })
})
