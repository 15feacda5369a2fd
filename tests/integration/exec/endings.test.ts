import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loopForEver, sayOnce } from '../../../src/testing/provider/index.ts'
import { createMachineHere } from './machine-here.ts'

const node = (script: string): readonly string[] => [process.execPath, '-e', script]

describe('stint exec exits', () => {
  it.each([
    ['the code of the command', node('process.exit(7)'), 7],
    ['128 and the signal that crashed it', node('process.kill(process.pid, "SIGABRT")'), 134],
    ['127 for a command that is not there', ['no-such-program'], 127],
  ])('with %s', async (_, command, exitCode) => {
    const { exec } = await createMachineHere(sayOnce())
    expect(await exec([], command)).toMatchObject({ exitCode, report: { status: 'failed', exitCode } })
  })

  it('with 124 if a program does not exit by itself after its closing answer', async () => {
    const { exec, agent, folder } = await createMachineHere(loopForEver())
    const stays = join(folder, 'stays.mjs')
    writeFileSync(stays, `await import(${JSON.stringify(agent[1])}); setInterval(() => {}, 1000)`)
    const { exitCode, report } = await exec(['--limit', 'turns=1', '--grace', '2s'], [agent[0]!, stays])
    expect(exitCode).toBe(124)
    expect(report).toMatchObject({ hasWrappedUp: true, commandEnd: { code: null, signal: 'SIGINT' } })
  })

  it('with 124 if its time is up, and names the flag', async () => {
    const { exec } = await createMachineHere(sayOnce())
    const { exitCode, report } = await exec(
      ['--timeout', '100ms', '--grace', '1s'],
      node('setInterval(() => {}, 1000)'),
    )
    expect(exitCode).toBe(124)
    expect(report).toMatchObject({
      status: 'timed-out',
      breach: { meter: 'wallTime', limit: 100, source: { flag: '--timeout=100ms' } },
    })
  })

  it('with 124 and no closing answer if none is wanted', async () => {
    const { exec, agent, printed } = await createMachineHere(loopForEver())
    const { exitCode, report } = await exec(['--limit', 'turns=2', '--no-wrap-up'], agent)
    expect(exitCode).toBe(124)
    expect(report).toMatchObject({ hasWrappedUp: false, calls: 2, commandEnd: { code: 3 } })
    expect(printed()).toMatch(/^refused with 402: The turns limit of .* --limit turns=…/)
  })

  it('with 130 if a user stops the run', async () => {
    const { exec, run, said, folder } = await createMachineHere(sayOnce())
    const ready = join(folder, 'ready')
    const waits = node(`require('fs').writeFileSync(${JSON.stringify(ready)}, ''); setInterval(() => {}, 1000)`)
    const running = exec(['--name', 'waits'], waits)
    while (!existsSync(ready)) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await run('stop', 'waits')).toBe(0)
    expect(await running).toMatchObject({ exitCode: 130, report: { status: 'stopped' } })
    expect(said.error).toContain('stopped')
  })

  it('before it starts if the budget that pays does not exist, and after charging one that does', async () => {
    const { exec, run, said, agent, provider } = await createMachineHere(sayOnce())
    await run('budget', 'set', 'team:core', '--limit', 'modelCalls=5')
    expect((await exec(['--within', 'team:cor'], agent)).exitCode).toBe(1)
    expect(said.error).toContain('Did you mean "team:core"?')
    expect(provider.requestCount).toBe(0)
    expect(await exec(['--within', 'team:core', '--name', 'triage'], agent)).toMatchObject({
      exitCode: 0,
      report: { path: 'team:core/triage', status: 'completed' },
    })
    await run('budget', 'show', 'team:core', '--json')
    expect(JSON.parse(said.out).budget.totals.modelCalls.settled).toBe(1)
  })

  it.each([
    [['exec'], /The command to run is missing\. Write it after --/],
    [['exec', '--'], /The command to run is missing\. Write it after --/],
    [['exec', 'claude', '-p'], /Usage: stint exec \[options\] -- COMMAND/],
    [['exec', '--limit', 'mesage=2', '--', 'true'], /message/],
    [['exec', '--limit', 'time=10', '--', 'true'], /time/],
    [['exec', '--timeout', '5s', '--limit', 'wall=6s', '--', 'true'], /wall/],
    [['exec', '--preset', 'developr', '--', 'true'], /developer/],
    [['exec', '--on-limit', 'explode', '--', 'true'], /explode/],
    [['exec', '--grace', 'soon', '--', 'true'], /--grace/],
    [['exec', '--name', 'a/b', '--', 'true'], /slash/],
    [['exec', '--json', '/no/such/folder/report.json', '--', 'true'], /--json/],
  ])('before it starts, for bad usage: %o', async (args, message) => {
    const { run, said } = await createMachineHere(sayOnce())
    expect(await run(...args)).toBe(2)
    expect(said.error).toMatch(message)
  })
})
