import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTools } from '../tools.fixture.ts'

describe('edit and write', () => {
  it('replace a file atomically, with its permissions, and leave nothing else behind', async () => {
    const { call, put, folder } = await openTools()
    const file = put('run.sh', '#!/bin/sh\necho one\n')
    chmodSync(file, 0o755)
    expect(await call('edit', { path: 'run.sh', oldText: 'one', newText: 'two' })).toBe('Edited run.sh at line 2.')
    expect(readFileSync(file, 'utf8')).toBe('#!/bin/sh\necho two\n')
    expect(statSync(file).mode & 0o777).toBe(0o755)
    expect(await call('write', { path: 'deep/er/new.txt', content: 'a\nb\n' })).toBe(
      'Created deep/er/new.txt (2 lines).',
    )
    expect(readdirSync(folder).toSorted()).toEqual(['deep', 'run.sh'])
    expect(readdirSync(join(folder, 'deep/er'))).toEqual(['new.txt'])
  })

  it('keep a byte order mark, and refuse what is not UTF-8', async () => {
    const { call, put } = await openTools()
    const marked = put('bom.txt', '\uFEFFhello')
    await call('edit', { path: 'bom.txt', oldText: 'hello', newText: 'bye' })
    expect(readFileSync(marked, 'utf8')).toBe('\uFEFFbye')
    const latin = put('latin.txt', Buffer.from('caf\xe9 one', 'latin1'))
    await expect(call('edit', { path: 'latin.txt', oldText: 'one', newText: 'two' })).rejects.toThrow(
      'not text in UTF-8',
    )
    expect(readFileSync(latin, 'latin1')).toBe('caf\xe9 one')
  })

  it('say how often a text occurs, and show the most similar one', async () => {
    const { call, put } = await openTools()
    put('a.ts', 'const one = 1\n\tconst   total = price * amount\nconst one = 1\n')
    const edit = (oldText: string) => call('edit', { path: 'a.ts', oldText, newText: 'x' })
    await expect(edit('const one')).rejects.toThrow(
      'oldText occurs 2 times in a.ts (lines 1, 3). Add lines around it, or set replaceAll.',
    )
    await expect(edit('  const total = price * amount')).rejects.toThrow('2\t\tconst   total = price * amount')
    await expect(edit('something else entirely')).rejects.toThrow('oldText is not in a.ts. Read the file again.')
    await expect(edit('')).rejects.toThrow('empty')
    await expect(edit('x')).rejects.toThrow('the same')
  })

  it('lose nothing when ten calls edit one file at once', async () => {
    const { call, put } = await openTools()
    const file = put('list.txt', Array.from({ length: 10 }, (_, index) => `<${index}>`).join('\n'))
    const edits = Array.from({ length: 10 }, (_, index) =>
      call('edit', { path: 'list.txt', oldText: `<${index}>`, newText: `done ${index}` }),
    )
    await Promise.all(edits)
    expect(readFileSync(file, 'utf8')).toBe(Array.from({ length: 10 }, (_, index) => `done ${index}`).join('\n'))
  })

  it('do nothing after the run was stopped', async () => {
    const { call, put } = await openTools()
    const file = put('a.txt', 'one')
    const signal = AbortSignal.abort(new Error('stop'))
    await expect(call('write', { path: 'a.txt', content: 'two' }, signal)).rejects.toThrow('stop')
    await expect(call('edit', { path: 'a.txt', oldText: 'one', newText: 'two' }, signal)).rejects.toThrow('stop')
    expect(readFileSync(file, 'utf8')).toBe('one')
  })

  it('refuse a folder, and a path through a file', async () => {
    const { call, put } = await openTools()
    put('folder/file', 'x')
    await expect(call('write', { path: 'folder', content: 'x' })).rejects.toThrow('folder is a folder, not a file')
    await expect(call('write', { path: '.', content: 'x' })).rejects.toThrow('is a folder, not a file')
    await expect(call('write', { path: 'folder/file/x', content: 'x' })).rejects.toThrow('is a file, not a folder')
  })
})
