import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProcessTable } from '../../../system/processes/create-process-table.ts'
import { createTools } from '../create-tools.ts'
import { openTools, type TestTools, until } from '../tools.fixture.ts'

const isRunning = (pid: number): boolean => createProcessTable().look(pid) !== null

/**
 * A program that ignores SIGINT, SIGTERM and SIGHUP, with a child, a grandchild in its own session, and another one
 * whose parent has ended.
 */
const STUBBORN = `
import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
const [name] = process.argv.slice(2)
const next = { parent: ['child', 'middle'], child: ['escaped'], middle: ['orphan'] }[name] ?? []
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
setInterval(() => {}, 1000)
writeFileSync(name + '.tmp', String(process.pid))
renameSync(name + '.tmp', name + '.pid')
const isApart = (each) => each === 'escaped' || each === 'orphan'
for (const each of next) spawn(process.execPath, [process.argv[1], each], { detached: isApart(each), stdio: 'ignore' })
if (name === 'middle') process.exit()
`
const NAMES = ['parent', 'child', 'escaped', 'orphan']

interface StubbornCommand {
  readonly command: string
  /** The pids, once all processes are running. */
  pids(): Promise<readonly number[]>
  /** The pids of those that have started. */
  startedPids(): readonly number[]
}

async function stubborn(tools: TestTools): Promise<StubbornCommand> {
  tools.put('stubborn.mjs', STUBBORN)
  const pidOf = (name: string): number => Number(readFileSync(join(tools.folder, `${name}.pid`), 'utf8'))
  const isThere = (name: string): boolean => existsSync(join(tools.folder, `${name}.pid`))
  onTestFinished(() => {
    // Nothing may outlive a failed test.
    for (const pid of NAMES.filter(isThere).map(pidOf).filter(isRunning)) process.kill(pid, 'SIGKILL')
  })
  return {
    command: `"${process.execPath}" stubborn.mjs parent`,
    async pids() {
      await until(() => NAMES.every(isThere))
      return NAMES.map(pidOf)
    },
    startedPids: () => NAMES.filter(isThere).map(pidOf),
  }
}

describe('bash', () => {
  it('returns what a command writes, and how it ended', async () => {
    const { call, folder } = await openTools()
    expect(await call('bash', { command: 'pwd; echo oops >&2' })).toMatch(
      new RegExp(`^(${folder}\noops\n|oops\n${folder}\n)$`),
    )
    expect(await call('bash', { command: 'echo no; exit 3' })).toBe('exit code 3\nno\n')
    expect(await call('bash', { command: 'kill -9 $$' })).toBe('ended by SIGKILL\n(no output)')
    expect(await call('bash', { command: 'cat; true' })).toBe('(no output)')
    expect(await call('bash', { command: String.raw`printf '\033[31mred\033[0m'` })).toBe('red')
    await expect(call('bash', { command: ' ' })).rejects.toThrow('empty')
    await expect(call('bash', { command: 'echo \0' })).rejects.toThrow('NUL')
    await expect(call('bash', { command: `: ${'x'.repeat(200_000)}` })).rejects.toThrow('Write a script')
  })

  it("hides provider keys and Stint's own variables", async () => {
    const { call } = await openTools({
      env: {
        PATH: process.env.PATH,
        ANTHROPIC_API_KEY: 'sk-ant-0123456789',
        GROQ_API_KEY: 'gsk-0123456789012',
        MY_COPY: 'Bearer sk-ant-0123456789',
        OWN_KEY: 'own-key-0123456789',
        ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/k/0123456789abcdef/anthropic',
        STINT_SCOPE: 'token',
        STINT_LIMITS: 'cost=100',
        STINT_HOME: '/people/me/stint',
        GREETING: 'hello',
      },
      furtherKeys: ['OWN_KEY'],
    })
    const shown = await call('bash', { command: 'env' })
    expect(shown).toContain('GREETING=hello')
    expect(shown).toContain('STINT_HOME=/people/me/stint')
    expect(shown).not.toMatch(/0123456789|STINT_SCOPE|STINT_LIMITS|API_KEY/)
  })

  it('shows the beginning and the end of long output, keeps most of it in a file, and little in memory', async () => {
    const { call, artifactFolder } = await openTools()
    const before = process.memoryUsage().rss
    const shown = await call('bash', { command: 'echo first; yes flood | head -c 100000000; echo last' })
    expect(shown.length).toBeLessThan(31_000)
    expect(shown).toMatch(/^first\nflood/)
    expect(shown).toMatch(/last\n$/)
    const path = join(artifactFolder, 'bash-1.txt')
    expect(shown).toContain(path)
    expect(statSync(path).size).toBe(16 * 1024 * 1024)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
    expect(await call('read', { path, limit: 1 })).toContain('1\tfirst')
  })

  it('C5: ends a whole process tree that ignores signals at its time limit', async () => {
    const tools = await openTools()
    const { command, startedPids } = await stubborn(tools)
    expect(await tools.call('bash', { command, timeoutMs: 5_000 })).toMatch(
      'timed out after 5s; it and everything it started were ended',
    )
    // On a busy machine, the last of them may not have started yet.
    expect(startedPids()).not.toEqual([])
    expect(startedPids().filter(isRunning)).toEqual([])
  })

  it('C6: is stopped by the signal within the grace, with all processes that it started', async () => {
    const tools = await openTools()
    const { command, pids } = await stubborn(tools)
    const controller = new AbortController()
    const ended = tools.call('bash', { command }, controller.signal)
    const started = await pids()
    controller.abort(new Error('the time is over'))
    await expect(ended).rejects.toThrow('the time is over')
    expect(started.filter(isRunning)).toEqual([])
  })

  it('does not start after it was stopped', async () => {
    const { call, folder } = await openTools()
    await expect(call('bash', { command: 'touch here' }, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
    expect(existsSync(join(folder, 'here'))).toBe(false)
  })

  it('returns even if it leaves a process running, which close ends, and then starts nothing more', async () => {
    const tools = await openTools()
    const shown = await tools.call('bash', { command: 'sleep 1000 & echo $!; setsid sleep 1001 & echo $!' })
    const pids = shown.split('\n').slice(0, 2).map(Number)
    expect(shown).toContain('[left running, ended with the run: ')
    await until(() => pids.every(isRunning))
    await tools.close()
    expect(pids.filter(isRunning)).toEqual([])
    await expect(tools.call('bash', { command: 'true' })).rejects.toThrow('The run has ended')
    await tools.close()
  })

  it('ends one command without affecting another that runs at the same time', async () => {
    const tools = await openTools()
    const controller = new AbortController()
    const other = tools.call('bash', {
      command: 'echo $$ > other.pid; while [ ! -e go ]; do sleep 0.05; done; echo done',
    })
    const stopped = tools.call('bash', { command: 'touch begun; sleep 1000' }, controller.signal)
    await until(() => ['begun', 'other.pid'].every((name) => existsSync(join(tools.folder, name))))
    controller.abort(new Error('stop'))
    await expect(stopped).rejects.toThrow('stop')
    tools.put('go', '')
    expect(await other).toBe('done\n')
  })

  it('ends the processes of a killed run when the run is resumed elsewhere', async () => {
    const tools = await openTools()
    const shown = await tools.call('bash', { command: 'sleep 1002 & echo $!' })
    const pid = Number(shown.split('\n')[0])
    await until(() => isRunning(pid))
    const folder = join(tools.outside, 'next')
    mkdirSync(folder)
    writeFileSync(join(folder, 'x'), '')
    const { PATH } = process.env
    const next = await createTools({
      workingFolder: folder,
      artifactFolder: folder,
      names: ['bash'],
      env: { PATH },
      runId: tools.runId,
    })
    expect(isRunning(pid)).toBe(false)
    await next.close()
  })

  it('looks for no processes of a new run that has started none', async () => {
    const tools = await openTools()
    const pid = Number((await tools.call('bash', { command: 'sleep 1003 & echo $!' })).split('\n')[0])
    await until(() => isRunning(pid))
    const folder = join(tools.outside, 'new')
    mkdirSync(folder)
    const { PATH } = process.env
    const place = { workingFolder: folder, artifactFolder: folder, env: { PATH }, runId: tools.runId }
    const idle = await createTools({ ...place, names: ['bash'], isNew: true })
    await idle.close()
    // It has the same mark, so that a look would have ended it.
    expect(isRunning(pid)).toBe(true)
  })
})
