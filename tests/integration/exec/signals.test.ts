import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Platform } from '../../../src/cli/platform.ts'
import { createProcessPlatform } from '../../../src/cli/process-platform.ts'
import { until } from '../../../src/exec/stubborn-tree.fixture.ts'
import { loopForEver } from '../../../src/testing/provider/index.ts'
import { createMachineHere, type MachineHere } from './machine-here.ts'
import { createMachine, type ExecEnd, type StartedExec } from './start-exec.ts'

/** A command that writes a file when it runs, and then waits to be ended. */
const runsUntilTold = (ready: string): readonly string[] => [
  process.execPath,
  '-e',
  `require('node:fs').writeFileSync(${JSON.stringify(ready)}, ''); setInterval(() => {}, 1000)`,
]

/**
 * Sends a signal every millisecond until the process has ended, so that hardly any of its moments is spared. Not faster:
 * a process that is busy for long would have more of them waiting than Node can keep, and lose the end of its child.
 */
async function tellToTheEnd({ child, ended }: StartedExec, signal: NodeJS.Signals): Promise<ExecEnd> {
  const telling = setInterval(() => child.kill(signal), 1)
  return ended.finally(() => clearInterval(telling))
}

/** A machine on which `stint` is told to go as soon as it opens its gateway, from `tell()` on. */
async function createToldMachine(own: Pick<Platform, 'isHolderAlive'> | null = null) {
  let isTold = false
  const machine: MachineHere = await createMachineHere(loopForEver(), {
    startGateway(options) {
      if (isTold) machine.stop()
      return createProcessPlatform().startGateway(options)
    },
    ...own,
  })
  return {
    ...machine,
    tell() {
      isTold = true
    },
  }
}

describe('a stint that gets a signal before its command is started', () => {
  it('does not start it, and reports that', async () => {
    const { exec, folder, said, tell } = await createToldMachine()
    tell()
    const ready = join(folder, 'ready')
    const { exitCode, report } = await exec([], runsUntilTold(ready))
    expect(existsSync(ready)).toBe(false)
    expect(exitCode).toBe(130)
    expect(report).toMatchObject({
      status: 'stopped',
      exitCode: 130,
      commandEnd: { code: null, signal: null, error: 'Stint was asked to end first' },
    })
    expect(said.error).toContain('could not be started: Stint was asked to end first.')
  })

  it('leaves a run paused that it was resuming', async () => {
    const { exec, run, said, agent, provider, tell } = await createToldMachine()
    const { report } = await exec(['--limit', 'turns=2:pause'], agent)
    const before = provider.requestCount
    tell()
    expect(await run('resume', report.id)).toBe(75)
    expect(said.error).toContain(`To continue: stint resume ${report.id}`)
    expect(provider.requestCount).toBe(before)
    await run('status', '--json')
    expect(JSON.parse(said.out).scopes).toMatchObject([{ id: report.id, status: 'paused' }])
  })

  it('stops queueing for its place', async () => {
    const { exec, run, said, agent, folder, tell } = await createToldMachine({ isHolderAlive: () => true })
    await run('budget', 'set', 'team:core', '--limit', 'concurrency=1')
    const ready = join(folder, 'ready')
    const first = exec(['--within', 'team:core', '--name', 'first'], runsUntilTold(ready))
    await until(() => existsSync(ready))
    tell()
    const second = await run('exec', '--within', 'team:core', '--name', 'second', '--', ...agent)
    expect(second).toBe(130)
    expect(said.error).toContain('"second" was not opened below "team:core"')
    expect(await run('stop', 'team:core/first')).toBe(0)
    await first
  })
})

describe('a stint that gets signals repeatedly, until it has exited', () => {
  it.each([
    ['SIGINT', 'stopped', 130],
    ['SIGTERM', 'stopped', 130],
    ['SIGHUP', 'stopped', 130],
    ['SIGQUIT', 'stopped', 130],
    ['SIGUSR2', 'failed', 140],
  ] as const)('exits as after the first %s, and writes its report', async (signal, status, exitCode) => {
    const machine = createMachine()
    const [report, ready] = ['report.json', 'ready'].map((name) => join(machine.folder, name))
    const running = machine.start(['exec', '--json', report!, '--', ...runsUntilTold(ready!)])
    await until(() => existsSync(ready!))
    const end = await tellToTheEnd(running, signal)
    expect(end).toMatchObject({ exitCode, signal: null, report: { status, exitCode } })
    expect(JSON.parse(readFileSync(report!, 'utf8'))).toMatchObject({ status })
  })
})
