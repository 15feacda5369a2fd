import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isRunning, until } from '../../../src/exec/stubborn-tree.fixture.ts'
import { letTimeRunOut } from './let-time-run-out.ts'
import { createMachine } from './start-exec.ts'

const node = (script: string): readonly string[] => [process.execPath, '-e', script]

/** A process that writes its pid to a file and keeps running; it ends with the test. */
function createLodger(folder: string) {
  const file = join(folder, 'lodger')
  const program = join(folder, 'lodger.cjs')
  writeFileSync(
    program,
    `require('fs').writeFileSync(${JSON.stringify(`${file}.tmp`)}, String(process.pid))
require('fs').renameSync(${JSON.stringify(`${file}.tmp`)}, ${JSON.stringify(file)})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
setInterval(() => {}, 1000)`,
  )
  const pid = (): number => Number(readFileSync(file, 'utf8'))
  onTestFinished(() => {
    if (existsSync(file) && isRunning(pid())) process.kill(pid(), 'SIGKILL')
  })
  return { program, pid, isThere: () => existsSync(file) }
}

describe('a command that tries to escape from stint exec', () => {
  it('C5: is ended with what its daemons have started in their own environments', async () => {
    const machine = createMachine()
    const lodger = createLodger(machine.folder)
    const start = (args: string, more: string) =>
      `require('child_process').spawn(process.execPath, ${args}, { detached: true, stdio: 'ignore', ${more} })`
    const middle = `${start(JSON.stringify([lodger.program]), 'env: {}')}; setInterval(() => {}, 1000)`
    const first = `${start(JSON.stringify(['-e', middle]), '')}; setTimeout(() => process.exit(), 200)`
    const command = node(`${start(JSON.stringify(['-e', first]), '')}; setInterval(() => {}, 1000)`)
    const running = machine.exec(['--timeout', '1h', '--grace', '1s', '--name', 'escapes'], command)
    await until(lodger.isThere)
    await letTimeRunOut(machine, 'escapes')
    const end = await running
    expect(end).toMatchObject({ exitCode: 124, report: { leftRunning: [] } })
    expect(isRunning(lodger.pid())).toBe(false)
  })

  it('C5: is ended even if it has stopped itself', async () => {
    const machine = createMachine()
    const pidFile = join(machine.folder, 'pid')
    const stops = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); process.kill(process.pid, 'SIGSTOP')`
    const running = machine.exec(['--timeout', '1h', '--grace', '1s', '--name', 'stopped'], node(stops))
    await until(() => existsSync(pidFile))
    await letTimeRunOut(machine, 'stopped')
    const end = await running
    expect(end).toMatchObject({ exitCode: 124, report: { commandEnd: { signal: 'SIGKILL' }, leftRunning: [] } })
  })

  it('opens no debugger in the process that holds the keys', async () => {
    const script = `process.on('SIGUSR1', () => { console.log('mine'); process.exit(4) })
process.kill(process.ppid, 'SIGUSR1')
setTimeout(() => {}, 10_000)`
    const end = await createMachine().exec([], node(script))
    expect(end).toMatchObject({ exitCode: 4, stdout: 'mine\n' })
    expect(end.stderr).not.toContain('Debugger')
  })

  it('does not block the exit by a daemon that keeps its output open', async () => {
    const machine = createMachine()
    const lodger = createLodger(machine.folder)
    const script = `const { spawn } = require('child_process')
spawn(process.execPath, [${JSON.stringify(lodger.program)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }).unref()
setInterval(() => { if (require('fs').existsSync(${JSON.stringify(join(machine.folder, 'lodger'))})) process.exit(0) }, 10)`
    const started = machine.start(['exec', '--limit', 'idle=1m', '--', ...node(script)])
    const exited = new Promise((resolve) => started.child.once('exit', resolve))
    await until(() => started.said().includes('is still running: pid'))
    expect(await exited).toBe(0)
    expect(isRunning(lodger.pid())).toBe(true)
  })

  it('that cannot be started for an unusual reason is reported as such', async () => {
    const machine = createMachine()
    const file = join(machine.folder, 'file')
    writeFileSync(file, '')
    const end = await machine.exec([], [join(file, 'program')])
    expect(end).toMatchObject({ exitCode: 126, report: { status: 'failed' } })
    expect(end.stderr).toContain('could not be started')
  })

  it('that does not exist is reported as such, without a line about calls', async () => {
    const end = await createMachine().exec([], ['no-such-program'])
    expect(end).toMatchObject({ exitCode: 127, report: { status: 'failed' } })
    expect(end.stderr).toContain('"no-such-program" could not be started: no such program')
    expect(end.stderr).not.toContain('calls:')
  })

  it('removes the folder of the report: the summary says how the run ended, and that nothing was written', async () => {
    const machine = createMachine()
    const folder = join(machine.folder, 'project/reports')
    mkdirSync(folder)
    const script = `require('fs').rmSync(${JSON.stringify(folder)}, { recursive: true }); process.exit(3)`
    const end = await machine.start(['exec', '--json', join(folder, 'report.json'), '--', ...node(script)]).ended
    expect(end.exitCode).toBe(125)
    expect(end.stderr).toMatch(/node failed .*\n.*\n.*The report could not be written: ENOENT/)
  })
})
