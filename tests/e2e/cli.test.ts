import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteStore } from '../../src/stores/sqlite/index.ts'
import { describeHolder } from '../../src/system/index.ts'
import { BUILT_PROGRAM } from '../house/built-program.ts'
import { findMachineNode } from '../house/machine-node.ts'
import { type ProgramResult, runProgram } from '../house/run-program.ts'
import { createFolder, removeFolder } from '../house/temporary-folder.ts'

describe('stint as a program', () => {
  let folder = ''
  let ledger = ''

  beforeEach(() => {
    folder = createFolder({ 'project/.keep': '' })
    ledger = join(folder, 'state/stint/ledger.db')
    onTestFinished(() => removeFolder(folder))
  })

  const run = (args: readonly string[], node = process.execPath): ProgramResult => {
    const env = { PATH: process.env.PATH ?? '', HOME: folder, STINT_HOME: join(folder, 'state/stint') }
    return runProgram(node, [BUILT_PROGRAM, ...args], { cwd: join(folder, 'project'), env })
  }
  const json = (...args: readonly string[]) => {
    const { status, stdout, stderr } = run([...args, '--json'])
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
    return JSON.parse(stdout)
  }
  const openLedger = () => {
    const store = createSqliteStore({ file: ledger })
    onTestFinished(() => store.dispose())
    return store
  }

  it("creates the user's ledger with the first budget, readable only by that user, and keeps it", () => {
    expect(json('status')).toMatchObject({ scopes: [] })
    expect(existsSync(ledger)).toBe(false)
    expect(run(['budget', 'set', 'team:core', '--limit', 'cost=100/day'])).toMatchObject({ status: 0, stderr: '' })
    expect(statSync(join(folder, 'state/stint')).mode & 0o777).toBe(0o700)
    expect(json('status').scopes).toMatchObject([{ id: 'team:core', limits: [{ limit: 100_000_000_000, per: 'day' }] }])
    expect(run(['verify'])).toMatchObject({ status: 0 })
    expect(json('doctor')).toMatchObject({ ok: true })
  })

  it('steers a run of another process', async () => {
    json('budget', 'set', 'team:core', '--limit', 'cost=100/day')
    const store = openLedger()
    const owner = describeHolder()
    const scopes = [{ id: 'run-1', name: 'triage', kind: 'agent', owner, limits: [] }] as const
    await store.open({ parentId: 'team:core', scopes, atMs: Date.now() })
    expect(run(['status']).stdout).toMatch(/triage +run-1 +running .* alive\n/)
    expect(json('pause', 'team:core/triage', '--reason', 'a look')).toMatchObject({ id: 'run-1', status: 'paused' })
    const call = { reservationId: 'r', scopeId: 'run-1', amounts: { toolCalls: 1 }, holder: owner }
    expect(await store.reserve({ ...call, atMs: Date.now() })).toMatchObject({ kind: 'paused', scopeId: 'run-1' })
    expect(json('resume', 'run-1')).toMatchObject({ status: 'running', isOwnerAlive: true })
    json('raise', 'run-1', '--limit', 'turns=1')
    expect(await store.reserve({ ...call, atMs: Date.now() })).toMatchObject({ kind: 'granted' })
    const second = { ...call, reservationId: 's', atMs: Date.now() }
    expect(await store.reserve(second)).toMatchObject({
      kind: 'breached',
      breaches: [{ meter: 'toolCalls', limit: 1 }],
    })
    expect(json('stop', 'run-1')).toMatchObject({ stopped: ['run-1'] })
    expect(await store.reserve({ ...second, reservationId: 't' })).toMatchObject({ kind: 'closed', scopeId: 'run-1' })
  })

  it('finds what a killed process left behind, and corrects it', async () => {
    json('budget', 'set', 'team:core', '--limit', 'cost=100/day')
    const address = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href)
    const program = `
      import { createSqliteStore } from ${address('stores/sqlite/index.ts')}
      import { describeHolder } from ${address('system/index.ts')}
      const store = createSqliteStore({ file: process.argv[1] })
      const holder = describeHolder()
      const scopes = [{ id: 'run-1', name: 'triage', kind: 'agent', owner: holder, limits: [] }]
      await store.open({ parentId: 'team:core', scopes, atMs: Date.now() })
      const amounts = { cost: 2_000_000_000 }
      await store.reserve({ reservationId: 'call-1', scopeId: 'run-1', amounts, holder, atMs: Date.now() })
      process.kill(process.pid, 'SIGKILL')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, ledger], { stdio: 'inherit' })
    await new Promise((resolve) => child.on('close', resolve))
    expect(child.signalCode).toBe('SIGKILL')
    expect(run(['doctor'])).toMatchObject({ status: 1, stdout: expect.stringContaining('1 run without a process') })
    const { reservations } = json('assumed', 'list')
    expect(reservations).toMatchObject([{ id: 'call-1', charged: { costNanoUsd: 2_000_000_000 } }])
    expect(run(['resume', 'run-1'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The process that ran'),
    })
    const settled = json('assumed', 'settle', 'call-1', '--amount', 'cost=$0.50', '--reason', 'the bill')
    expect(settled).toMatchObject({ charged: { costNanoUsd: 500_000_000 } })
    expect(json('show', 'team:core').scope.totals.costNanoUsd).toEqual({
      settled: 500_000_000,
      reserved: 0,
      assumed: 0,
    })
    json('stop', 'run-1')
    expect(run(['verify'])).toMatchObject({ status: 0 })
    expect(run(['doctor'])).toMatchObject({ status: 0 })
  })

  it('I2: verify exits with 1 if the journal was changed, and names the row', () => {
    json('budget', 'set', 'team:core', '--limit', 'cost=100/day')
    const bytes = readFileSync(ledger)
    const place = bytes.indexOf('"max":100000000000')
    expect(place).toBeGreaterThan(0)
    for (let at = place; at !== -1; at = bytes.indexOf('"max":100000000000', at + 1)) bytes.write('9', at + 6)
    writeFileSync(ledger, bytes)
    const { status, stdout } = run(['verify'])
    expect(status).toBe(1)
    expect(stdout).toMatch(/journal, row 1/)
  })

  it('I6: names a file that is not a ledger, and does not replace a lost one', () => {
    const foreign = join(folder, 'foreign.db')
    writeFileSync(foreign, 'this is no database'.repeat(100))
    const refused = run(['status', '--store', `sqlite:${foreign}`])
    expect(refused).toMatchObject({ status: 125, stdout: '', stderr: expect.stringContaining(foreign) })
    expect(refused.stderr).not.toMatch(/\n\s+at /)
    json('budget', 'set', 'team:core', '--limit', 'cost=100/day')
    for (const suffix of ['', '-wal', '-shm']) rmSync(ledger + suffix, { force: true })
    for (const args of [['status'], ['budget', 'set', 'team:core', '--limit', 'cost=1'], ['verify'], ['doctor']]) {
      expect(run(args).status, args.join(' ')).toBe(args[0] === 'doctor' ? 1 : 125)
      expect(existsSync(ledger)).toBe(false)
    }
  })

  it('exits with 2 for an invalid command line, before anything is created', () => {
    expect(run(['budget', 'set', 'team:core', '--limit', 'csot=1'])).toMatchObject({ status: 2, stdout: '' })
    expect(run(['status', '--jsn'])).toMatchObject({ status: 2, stdout: '' })
    expect(existsSync(ledger)).toBe(false)
  })

  it("works on the machine's own Node", () => {
    const node = findMachineNode(process.env.PATH ?? '')
    expect(run(['budget', 'set', 'team:core', '--limit', 'cost=100/day'], node)).toMatchObject({ status: 0 })
    expect(run(['status'], node).stdout).toContain('cost/day $100.00')
    expect(run(['verify'], node)).toMatchObject({ status: 0 })
  })
})
