import { describe, expect, it } from 'vitest'
import { columnsOf } from './columns-of.ts'
import { UnreadableRowError } from './unreadable-row-error.ts'

const SCOPES = columnsOf('scopes')
const ROW = { id: 'run', status: 'running', revision: 3, owner: null, hash: new Uint8Array([1]), labels: '{"a":"b"}' }

describe('columnsOf', () => {
  it('reads each column as the schema defines it', () => {
    expect(SCOPES.text(ROW, 'id')).toBe('run')
    expect(SCOPES.textOrNull(ROW, 'owner')).toBeNull()
    expect(SCOPES.textOrNull(ROW, 'id')).toBe('run')
    expect(SCOPES.integer(ROW, 'revision')).toBe(3)
    expect(SCOPES.integerOrNull(ROW, 'owner')).toBeNull()
    expect(SCOPES.bytes(ROW, 'hash')).toEqual(new Uint8Array([1]))
    expect(SCOPES.oneOf(ROW, 'status', ['running', 'paused'])).toBe('running')
    expect(SCOPES.json<{ a: string }>(ROW, 'labels').a).toBe('b')
  })

  it.each([
    ['text', () => SCOPES.text(ROW, 'revision'), 'its column revision holds 3, not text'],
    ['missing', () => SCOPES.textOrNull(ROW, 'name'), 'its column name holds undefined, not text'],
    ['integer', () => SCOPES.integer(ROW, 'status'), 'its column status holds "running", not a number'],
    ['null', () => SCOPES.integer(ROW, 'owner'), 'its column owner holds null, not a number'],
    ['bytes', () => SCOPES.bytes(ROW, 'labels'), 'not bytes'],
    ['words', () => SCOPES.oneOf(ROW, 'status', ['open']), 'its column status holds "running", not one of open'],
  ])('names table, row and column of an invalid value: %s', (_, read, problem) => {
    expect(read).toThrow(problem)
    expect(read).toThrow(expect.objectContaining({ table: 'scopes', row: 'run' }))
    expect(read).toThrow(UnreadableRowError)
  })
})
