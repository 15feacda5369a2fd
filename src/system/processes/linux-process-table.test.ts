import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLinuxProcessTable, parseStat } from './linux-process-table.ts'

const line = (name: string, state: string, start: string) =>
  `77 (${name}) ${state} 12 70 60 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 ${start} 0 0`

describe('the processes of a Linux machine', () => {
  it('are read, whatever name a program has given itself', () => {
    const entry = { pid: 77, parentPid: 12, groupId: 70, sessionId: 60, start: '4242' }
    expect(parseStat(77, line('node', 'S', '4242'))).toEqual(entry)
    expect(parseStat(77, line('a) R 1 1 1 (b', 'S', '4242'))).toEqual(entry)
  })

  it('exclude those that have ended', () => {
    expect(parseStat(77, line('node', 'Z', '4242'))).toBeNull()
    expect(parseStat(77, 'nonsense')).toBeNull()
  })

  it('are those of one user, with readable variables', () => {
    const folder = mkdtempSync(join(tmpdir(), 'stint-proc-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, '77'))
    mkdirSync(join(folder, 'self'))
    writeFileSync(join(folder, '77/stat'), line('node', 'S', '1'))
    writeFileSync(join(folder, '77/environ'), 'PATH=/bin\0STINT_RUN=run-1\0')
    const ours = createLinuxProcessTable(folder)
    expect(ours.list()).toMatchObject([{ pid: 77, start: '1' }])
    expect(ours.look(77)).toMatchObject({ pid: 77 })
    expect(ours.look(78)).toBeNull()
    expect(ours.variableOf(77, 'STINT_RUN')).toBe('run-1')
    expect(ours.variableOf(77, 'RUN')).toBeNull()
    expect(createLinuxProcessTable(folder, 987_654).list()).toEqual([])
  })
})
