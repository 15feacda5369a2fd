import { describe, expect, it } from 'vitest'
import { createProcessTable } from '../system/processes/create-process-table.ts'
import type { ProcessTable } from '../system/processes/process-table.ts'
import { RUN_VARIABLE } from '../system/processes/run-mark.ts'
import { type CommandSpec, startCommand } from './start-command.ts'
import { createStubbornTree, isRunning, REAL_CLOCK, until } from './stubborn-tree.fixture.ts'

const NOT_WATCHED = { watched: { stdout: false, stderr: false }, onOutput: () => {} }

function start(command: string, args: readonly string[], more: Partial<CommandSpec> = {}, table?: ProcessTable) {
  const runId = `run-${process.pid}-${Math.floor(performance.now() * 1000)}`
  const env = { ...process.env, [RUN_VARIABLE]: runId }
  const spec = {
    command,
    args,
    env,
    workingFolder: process.cwd(),
    runId,
    isInteractive: false,
    ...NOT_WATCHED,
    ...more,
  }
  return startCommand(spec, table ?? createProcessTable(), REAL_CLOCK)
}

const node = (script: string, more: Partial<CommandSpec> = {}) => start(process.execPath, ['-e', script], more)

describe('a command', () => {
  it.each([
    ['in a group of its own', false],
    ['at the terminal, in our group', true],
  ])(
    'C5: that ignores SIGINT and SIGTERM is gone after the grace period, with its whole tree (%s)',
    async (_, isInteractive) => {
      const tree = createStubbornTree()
      const command = start(tree.command, tree.args, { isInteractive })
      const pids = await tree.started()
      expect(pids.every(isRunning)).toBe(true)
      expect(command.processes().map(({ pid }) => pid)).toEqual(expect.arrayContaining([...pids]))
      expect(await command.end(1000)).toEqual([])
      expect(await command.ended).toMatchObject({ code: null, signal: 'SIGKILL', error: null })
      expect(pids.filter(isRunning)).toEqual([])
    },
  )

  it('ends with its own code, or with the signal that ended it', async () => {
    expect(await node('process.exit(7)').ended).toEqual({ code: 7, signal: null, error: null })
    expect(await node('process.kill(process.pid, "SIGKILL")').ended).toMatchObject({ code: null, signal: 'SIGKILL' })
  })

  it('that does not exist is reported, and has nothing to end', async () => {
    const command = start('/no/such/program', [])
    expect((await command.ended).error).toMatchObject({ code: 'ENOENT' })
    expect([command.pid, command.processes(), await command.end(1000)]).toEqual([null, [], []])
    command.signal('SIGTERM')
  })

  it('is passed signals, with its group', async () => {
    const command = node('setInterval(() => {}, 1000)')
    command.signal('SIGTERM')
    expect(await command.ended).toMatchObject({ signal: 'SIGTERM' })
    command.signal('SIGTERM')
  })

  it('is noticed writing if its output is watched, and all of it arrives', async () => {
    let pieces = 0
    const command = node('process.stdout.write("")', {
      watched: { stdout: true, stderr: true },
      onOutput: () => pieces++,
    })
    expect(await command.ended).toMatchObject({ code: 0 })
    const loud = node('require("fs").writeSync(1, " ")', {
      watched: { stdout: true, stderr: true },
      onOutput: () => pieces++,
    })
    await loud.ended
    expect(pieces).toBe(1)
  })

  it('never has a process killed that reuses the pid of one of its own', async () => {
    const bystander = node('setInterval(() => {}, 1000)')
    const pid = bystander.pid!
    const command = node('')
    await command.ended
    await until(() => isRunning(pid))
    const { groupId } = createProcessTable().look(pid)!
    const mistaken = { pid, parentPid: 1, groupId, sessionId: null, start: 'long ago' }
    const table = { ...createProcessTable(), list: () => [mistaken], variableOf: () => 'stale' }
    const stale = start(process.execPath, ['-e', ''], { runId: 'stale' }, table)
    expect(await stale.end(200)).toHaveLength(1)
    expect(isRunning(pid)).toBe(true)
    expect(await bystander.end(1000)).toEqual([])
  })
})
