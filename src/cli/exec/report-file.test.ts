import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { assertReportFile, writeReport } from './report-file.ts'

const MAKE_PIPE = 'mkfifo'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stint-report-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('the file of --json', () => {
  it('is written atomically over the existing file, and leaves nothing else behind', () => {
    const folder = createFolder()
    writeFileSync(join(folder, 'report.json'), 'old')
    writeReport(assertReportFile('report.json', folder), { id: 'a' })
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toEqual({ id: 'a' })
    expect(readdirSync(folder)).toEqual(['report.json'])
  })

  it.each(['there', 'missing'])('may be a link, which stays a link (its target is %s)', (state) => {
    const folder = createFolder()
    mkdirSync(join(folder, 'reports'))
    if (state === 'there') writeFileSync(join(folder, 'reports/today.json'), 'old')
    symlinkSync('reports/today.json', join(folder, 'report.json'))
    writeReport(assertReportFile('report.json', folder), { id: 'b' })
    expect(readlinkSync(join(folder, 'report.json'))).toBe('reports/today.json')
    expect(JSON.parse(readFileSync(join(folder, 'reports/today.json'), 'utf8'))).toEqual({ id: 'b' })
  })

  it('may be a pipe or a device, which is written to and never replaced', ({ skip }) => {
    const folder = createFolder()
    const pipe = join(folder, 'pipe')
    if (spawnSync(MAKE_PIPE, [pipe]).status !== 0) return skip()
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    writeReport(assertReportFile('pipe', folder), { id: 'c' })
    const read = Buffer.alloc(100)
    expect(JSON.parse(read.toString('utf8', 0, readSync(reader, read)))).toEqual({ id: 'c' })
    expect(lstatSync(pipe).isFIFO()).toBe(true)
  })

  it('may have the longest possible name', () => {
    const folder = createFolder()
    const name = `${'r'.repeat(250)}.json`
    writeReport(assertReportFile(name, folder), {})
    expect(readdirSync(folder)).toEqual([name])
  })

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to itself', (path: string) => symlinkSync(path, path)],
    ['a link into a folder that is not there', (path: string) => symlinkSync('no/such/file', path)],
  ])('is refused before anything runs if it is %s', (_, make) => {
    const folder = createFolder()
    make(join(folder, 'report.json'))
    expect(() => assertReportFile('report.json', folder)).toThrow('--json is "report.json", but must be a file')
  })

  it('is refused if this user may not write it', ({ skip }) => {
    if (process.getuid?.() === 0) return skip()
    const folder = createFolder()
    writeFileSync(join(folder, 'report.json'), '', { mode: 0o400 })
    expect(() => assertReportFile('report.json', folder)).toThrow('--json')
    chmodSync(folder, 0o500)
    expect(() => assertReportFile('another.json', folder)).toThrow('--json')
  })
})
