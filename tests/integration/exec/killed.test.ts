import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createStubbornTree, isRunning, until } from '../../../src/exec/stubborn-tree.fixture.ts'
import { createScriptedProvider, sayOnce } from '../../../src/testing/provider/index.ts'
import { ANY_AGENT, createMachine, type ExecMachine } from './start-exec.ts'

async function openProvider() {
  const provider = await createScriptedProvider({ script: () => new Promise(() => {}) })
  onTestFinished(() => provider.close())
  return provider
}

async function idOfRun(machine: ExecMachine): Promise<string> {
  return JSON.parse((await machine.start(['status', '--all', '--json']).ended).stdout).scopes[0].id
}

describe('a stint that gets a signal while the last call of its command ends', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('exits, and still reports the outcome: %s', async (signal) => {
    const provider = await openProvider()
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl })
    const [report, mayEnd, hasEnded] = ['report.json', 'may-end', 'has-ended'].map((name) => join(machine.folder, name))
    const asksAndLeaves = `
      const { existsSync, writeFileSync } = require('node:fs')
      const body = JSON.stringify({ model: 'gpt-4.1', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
      const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY }
      fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body }).catch(() => {})
      setInterval(() => {
        if (!existsSync(${JSON.stringify(mayEnd)})) return
        writeFileSync(${JSON.stringify(hasEnded)}, String(process.pid))
        process.exit()
      }, 10)`
    const running = machine.start(['exec', '--json', report!, '--', process.execPath, '-e', asksAndLeaves])
    await provider.until(({ requestCount }) => requestCount === 1)
    writeFileSync(mayEnd!, '')
    const isGone = (): boolean => existsSync(hasEnded!) && !isRunning(Number(readFileSync(hasEnded!, 'utf8')))
    await until(isGone)
    // Again and again: at first it may still look after its command.
    const telling = setInterval(() => existsSync(report!) || running.child.kill(signal), 50)
    const { exitCode, report: said } = await running.ended.finally(() => clearInterval(telling))
    expect(exitCode).not.toBeNull()
    expect(said).toMatchObject({ calls: 0, usage: { modelCalls: { settled: 1 } } })
  })
})

describe('a run whose stint was killed', () => {
  it('is restarted by exactly one of several processes', async () => {
    const provider = await openProvider()
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl })
    const killed = machine.start(['exec', '--limit', 'cost=1', '--', ...ANY_AGENT])
    await provider.until(({ requestCount }) => requestCount === 1)
    killed.child.kill('SIGKILL')
    // The command sees that its address is dead, and ends.
    await killed.ended
    const id = await idOfRun(machine)
    provider.play(sayOnce('Back again.'))
    const ends = await Promise.all([1, 2, 3].map(() => machine.start(['resume', id]).ended))
    expect(ends.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1, 1])
    expect(ends.map(({ stdout }) => stdout).sort()).toEqual(['', '', 'Back again.\n'])
    // Who comes late finds it running, or already ended.
    expect(ends.find(({ exitCode }) => exitCode === 1)!.stderr).toMatch(/not paused|has ended/)
    expect(provider.requestCount).toBe(2)
    expect(await machine.start(['verify']).ended).toMatchObject({ exitCode: 0 })
    expect((await machine.start(['resume', id]).ended).stderr).toContain('has ended (completed)')
  })

  it('is not restarted while its own command still runs; doctor names that process', async () => {
    const machine = createMachine()
    const tree = createStubbornTree()
    const killed = machine.start(['exec', '--', tree.command, ...tree.args])
    const pids = await tree.started()
    killed.child.kill('SIGKILL')
    await new Promise((resolve) => void killed.child.once('exit', resolve))
    const id = await idOfRun(machine)
    const refused = await machine.start(['resume', id]).ended
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/is still running.* End it first: kill \d+/),
    })
    for (const pid of pids) expect(refused.stderr).toContain(` ${pid}`)
    expect((await machine.start(['doctor']).ended).stdout).toContain(`kill ${Math.min(...pids)}`)
    expect(pids.every(isRunning)).toBe(true)
  })
})
