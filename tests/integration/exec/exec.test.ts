import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createStubbornTree, isRunning, until } from '../../../src/exec/stubborn-tree.fixture.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import {
  createGate,
  createScriptedProvider,
  loopForEver,
  type ProviderScript,
  sayOnce,
} from '../../../src/testing/provider/index.ts'
import { letTimeRunOut } from './let-time-run-out.ts'
import { ANY_AGENT, createMachine } from './start-exec.ts'

async function openProvider(script: ProviderScript = sayOnce('All is well.')) {
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  return provider
}

const KEY = 'sk-canary-0123456789'

describe('stint exec', () => {
  it('runs a program without limits unchanged, and reports its usage', async () => {
    const provider = await openProvider()
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: KEY })
    const end = await machine.exec([], ANY_AGENT)
    expect(end.stderr).toContain('calls: 1 answered\n')
    expect(end).toMatchObject({ exitCode: 0, stdout: 'All is well.\n' })
    expect(end.report).toMatchObject({ status: 'completed', exitCode: 0, breach: null, calls: 1, clamps: 0 })
    expect(end.report.usage).toMatchObject({
      modelCalls: { settled: 1 },
      cost: { settled: Number(provider.book().costNanoUsd) },
    })
    expect(provider.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  it('counts the call of a program that does not wait for the end of the stream', async () => {
    const pieceGate = createGate()
    const provider = await openProvider(() => ({ text: 'All is well.', pieceGate }))
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: KEY })
    const body = JSON.stringify({ model: 'gpt-4.1', input: 'hi', stream: true })
    const leave = `fetch(process.env.OPENAI_BASE_URL + '/responses', { method: 'POST', body: ${JSON.stringify(body)} })
      .then(({ body }) => body.getReader().read()).then(() => process.exit(0))`
    const pidFile = join(machine.folder, 'pid')
    const program = `require('fs').writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); ${leave}`
    const ended = machine.exec([], [process.execPath, '-e', program])
    pieceGate.pass(1)
    const pidOf = (): number => Number(existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : '0')
    await until(() => pidOf() !== 0 && !isRunning(pidOf()))
    // The program has ended, and its call has not.
    const store = createSqliteStore({ file: join(machine.env.STINT_HOME!, 'ledger.db') })
    onTestFinished(() => store.dispose())
    const [reading] = await store.list({ standing: 'open', atMs: Date.now() })
    expect(reading!.totals.modelCalls).toEqual({ settled: 0, reserved: 1 })
    pieceGate.open()
    expect(await ended).toMatchObject({ exitCode: 0, report: { calls: 1, lastText: 'All is well.' } })
  })

  it('ends a looping program at its limit with a final answer', async () => {
    const provider = await openProvider(loopForEver())
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: KEY })
    const end = await machine.exec(['--limit', 'turns=5'], ANY_AGENT)
    expect(end.stdout).toBe('This is how far I came.\n')
    expect(end.exitCode).toBe(124)
    expect(end.report).toMatchObject({
      status: 'limit-reached',
      exitCode: 124,
      commandEnd: { code: 0 },
      breach: { meter: 'toolCalls', limit: 5, settled: 5 },
      usage: { toolCalls: { settled: 5 }, modelCalls: { settled: 6 } },
      calls: 6,
      hasWrappedUp: true,
      lastText: 'This is how far I came.',
    })
    expect(end.stderr).toContain('--limit turns=…')
    expect(end.report.usage.cost!.settled).toBe(Number(provider.book().costNanoUsd))
  })

  it('D6: ends a looping program at its execution cost, since its calls name no phase', async () => {
    const provider = await openProvider(loopForEver({ text: 'word '.repeat(200) }))
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: KEY })
    const limits = ['--limit', 'max_execution_cost_usd=0.05', '--limit', 'max_planning_cost_usd=0.02']
    const end = await machine.exec(limits, ANY_AGENT)
    expect(end).toMatchObject({ exitCode: 124, stdout: 'This is how far I came.\n' })
    expect(end.report).toMatchObject({ status: 'limit-reached', breach: { meter: 'executionCost' } })
    expect(Number(provider.book().costNanoUsd)).toBeLessThanOrEqual(50_000_000)
    expect(end.stderr).toContain('stint: max_planning_cost_usd has no effect here')
  })

  it('I10: withholds the key from a program that ignores the address, and warns that no call came through', async () => {
    const provider = await openProvider()
    const machine = createMachine({
      OPENAI_BASE_URL: provider.openaiUrl,
      OPENAI_API_KEY: KEY,
      ANTHROPIC_API_KEY: KEY,
      GEMINI_API_KEY: KEY,
    })
    const show = 'console.log(JSON.stringify(process.env), process.argv.join())'
    const end = await machine.exec(['--limit', 'cost=1'], [process.execPath, '-e', show])
    expect(end.stdout).not.toContain('canary')
    expect(end.stderr).toMatch(
      /calls: 0 — no model call of the command went through Stint.* The keys .*GEMINI_API_KEY.* were withheld from it/,
    )
    expect(end).toMatchObject({
      exitCode: 0,
      report: { governed: false, calls: 0, usage: { modelCalls: { settled: 0 } } },
    })
    expect(JSON.stringify(end.report)).not.toContain('canary')
    expect(provider.requestCount).toBe(0)
  })

  it('C5: ends a program that ignores signals at its time limit, with its whole tree', async () => {
    const tree = createStubbornTree()
    const machine = createMachine()
    const flags = ['--timeout', '1h', '--grace', '1s', '--name', 'stubborn']
    const running = machine.exec(flags, [tree.command, ...tree.args])
    const pids = await tree.started()
    expect(pids.every(isRunning)).toBe(true)
    await letTimeRunOut(machine, 'stubborn')
    const end = await running
    expect(end.exitCode).toBe(124)
    expect(end.report).toMatchObject({
      status: 'timed-out',
      breach: { meter: 'wallTime', limit: 1 },
      commandEnd: { code: null, signal: 'SIGKILL' },
      leftRunning: [],
    })
    expect(pids.filter(isRunning)).toEqual([])
  })

  it('counts output of a program as activity, unless it is at a terminal', async () => {
    const machine = createMachine()
    // It says something twenty times as often as it must, so that a busy machine may keep it waiting.
    const chatty = 'let n = 0; const t = setInterval(() => { console.log(++n); if (n === 24) clearInterval(t) }, 250)'
    const end = await machine.exec(['--limit', 'idle=5s'], [process.execPath, '-e', chatty])
    expect(end).toMatchObject({ exitCode: 0, report: { status: 'completed' } })
    expect(end.stdout).toBe(Array.from({ length: 24 }, (_, index) => `${index + 1}\n`).join(''))
  })

  it.each<readonly [NodeJS.Signals, string]>([
    ['SIGINT', "process.on('SIGINT', () => process.exit(130))"],
    ['SIGTERM', "process.on('SIGTERM', () => {})"],
  ])('passes %s on to the command, and exits as interrupted', async (signal, script) => {
    const machine = createMachine()
    const wait = `${script}; setInterval(() => {}, 1000); console.log('ready')`
    const started = machine.start(['exec', '--grace', '1s', '--', process.execPath, '-e', wait])
    await until(() => started.said().includes('ready'))
    started.child.kill(signal)
    expect(await started.ended).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('stopped') })
  })

  it('is charged by the next command if it is killed itself, and the ledger stays sound', async () => {
    const provider = await openProvider(() => new Promise(() => {}))
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl })
    const started = machine.start(['exec', '--limit', 'cost=1', '--', ...ANY_AGENT])
    await provider.until(({ requestCount }) => requestCount === 1)
    started.child.kill('SIGKILL')
    await started.ended
    const assumed = await machine.start(['assumed', 'list', '--json']).ended
    expect(JSON.parse(assumed.stdout).reservations).toMatchObject([{ scopePath: 'any-agent.mjs', state: 'assumed' }])
    expect(await machine.start(['verify']).ended).toMatchObject({ exitCode: 0 })
    expect((await machine.start(['doctor']).ended).stdout).toMatch(/without a process: any-agent.mjs/)
  })
})
