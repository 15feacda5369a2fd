import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StintError } from '../../core/index.ts'
import { createCli, NOW_MS, type TestCliOptions } from '../cli.fixture.ts'

describe('stint verify', () => {
  it('exits with 0 for a sound ledger', async () => {
    const { exitCode, stdout } = await createCli().run('verify')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Sound: 7 entries and 2 scopes/)
  })

  it('I2: exits with 1 and names the row that was changed', async () => {
    const problems = [{ place: 'journal', row: '17 (3 of team:core)', problem: 'its hash does not match' }]
    const cli = createCli({ verify: () => ({ ok: false, entries: 20, scopes: 2, problems }) })
    const { exitCode, stdout } = await cli.run('verify')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('journal, row 17 (3 of team:core): its hash does not match')
    expect(await cli.json('verify')).toMatchObject({ exitCode: 1, ok: false, problems })
  })

  it('fits on one screen, whatever is damaged', async () => {
    const problems = Array.from({ length: 100 }, (_, row) => ({ place: 'journal', row: `${row}`, problem: 'is wrong' }))
    const { stdout } = await createCli({ verify: () => ({ ok: false, entries: 1, scopes: 1, problems }) }).run('verify')
    expect(stdout.split('\n').length).toBeLessThan(20)
    expect(stdout).toContain('… and 90 more')
  })

  it('does not call a missing ledger sound', async () => {
    expect(await createCli({ hasLedger: false }).run('verify')).toMatchObject({ exitCode: 1, stdout: '' })
  })

  it('exits with 125 if the file cannot be opened as a ledger', async () => {
    const verify = () => {
      throw new StintError('ledger_foreign', 'x.db is no ledger. Name another file.')
    }
    const { exitCode, stderr } = await createCli({ verify }).run('verify')
    expect({ exitCode, stderr }).toEqual({ exitCode: 125, stderr: 'stint: x.db is no ledger. Name another file.\n' })
  })
})

describe('stint doctor', () => {
  const findingsOf = async (options: TestCliOptions, prepare?: (cli: ReturnType<typeof createCli>) => unknown) => {
    const cli = createCli(options)
    await prepare?.(cli)
    const { exitCode, findings } = (await cli.json('doctor')) as unknown as {
      exitCode: number
      findings: { subject: string; state: string; detail: string; remedy: string | null }[]
    }
    const find = (subject: string) => findings.find((finding) => finding.subject === subject)
    return { cli, exitCode, findings, find }
  }

  it('finds no problems in a sound installation, and lists what it checked', async () => {
    const { cli, exitCode, find } = await findingsOf({})
    expect(exitCode).toBe(0)
    expect(find('SQLite')?.detail).toBe('3.51.3, journal mode wal')
    expect(find('store')?.detail).toBe(`sqlite:${cli.ledgerFile}, from the default`)
    expect(find('high-water file')?.state).toBe('ok')
    expect((await cli.run('doctor')).stdout).toMatch(/\nNo problems found\.\n$/)
  })

  it('accepts a missing ledger', async () => {
    const { exitCode, find } = await findingsOf({ hasLedger: false })
    expect(exitCode).toBe(0)
    expect(find('ledger')?.detail).toContain('none yet')
  })

  it('exits with 1 when a run has lost its process, and says what to do', async () => {
    const { exitCode, find } = await findingsOf({ isHolderAlive: () => false }, (cli) => cli.open({ id: 'run-1' }))
    expect(exitCode).toBe(1)
    expect(find('owners')).toMatchObject({ state: 'problem', remedy: expect.stringContaining('stint stop') })
    expect(find('processes')?.detail).toBe('0 alive, 1 dead, 0 unknown')
  })

  it('lists a paused run, and does not count its ended process as a problem', async () => {
    const { exitCode, find } = await findingsOf({ isHolderAlive: () => false }, async (cli) => {
      await cli.open({ id: 'run-1' })
      await cli.store.pause({ scopeId: 'run-1', reason: 'a limit', by: 'test', atMs: NOW_MS })
    })
    expect(exitCode).toBe(0)
    expect(find('owners')).toBeUndefined()
    expect(find('paused')).toMatchObject({ state: 'notice', remedy: expect.stringContaining('stint resume') })
  })

  it('exits with 1 when an agent cannot be read, with file and line', async () => {
    const { exitCode, find } = await findingsOf({}, (cli) =>
      cli.write('project/.stint/agents/broken.md', '---\nlimits: { cost: lots }\n---\nGo.\n'),
    )
    expect(exitCode).toBe(1)
    expect(find('agents')?.detail).toMatch(/^1 problem with their files: .*broken\.md:2: .*"lots"/)
    expect((await findingsOf({})).find('agents')).toMatchObject({ state: 'ok', detail: '13 can be run from here' })
  })

  it('exits with 1 when the end of the journal is lost', async () => {
    const describe = () => ({ journalMode: 'wal', sqliteVersion: '3.51.3', sizeBytes: 1, entries: 5, highWater: 7 })
    const { exitCode, find } = await findingsOf({ describe })
    expect(exitCode).toBe(1)
    expect(find('high-water file')?.detail).toBe('the journal had 7 entries and has 5')
  })

  it('exits with 1 when others can access the folder', async () => {
    const { exitCode, find } = await findingsOf({}, (cli) => chmodSync(dirname(cli.ledgerFile), 0o755))
    expect(exitCode).toBe(1)
    expect(find('folder')?.remedy).toContain('chmod 700')
  })

  it('exits with 1 when the config is invalid, with file and line, and checks nothing else', async () => {
    const { cli, exitCode, find, findings } = await findingsOf({}, (each) =>
      each.write('project/stint.config.yaml', 'limits:\n  cost: lots\n'),
    )
    expect(exitCode).toBe(1)
    expect(find('config')?.detail).toContain('stint.config.yaml:2')
    expect(findings.map(({ subject }) => subject)).toEqual(['Node', 'config'])
    expect(cli.opened).toEqual([])
  })

  it('exits with 1 when the store is misspelled or cannot be opened', async () => {
    const misspelled = await findingsOf({ env: { STINT_STORE: 'sqlit:x' } })
    expect(misspelled.find('store')?.detail).toContain('STINT_STORE')
    const damaged = await findingsOf({
      describe: () => {
        throw new StintError('ledger_damaged', 'ledger.db is cut off.')
      },
    })
    expect(damaged.exitCode).toBe(1)
    expect(damaged.find('ledger')).toMatchObject({ state: 'problem', detail: 'ledger.db is cut off.' })
  })

  it('lists open requests, and does not count them as problems', async () => {
    const { exitCode, find } = await findingsOf({}, async (cli) => {
      await cli.open({ id: 'run-1' }, { cost: 1 })
      const ask = { requestId: 'ask-1', scopeId: 'run-1', key: 'run-1 cost', settled: 0, asked: 5, reason: 'more' }
      await cli.store.ask({ ...ask, expiresAtMs: NOW_MS - 1, atMs: NOW_MS - 9 })
      const amounts = { cost: 5 }
      await cli.store.reserve({ reservationId: 'r', scopeId: 'run-1', amounts, holder: 'gone', atMs: NOW_MS })
      await cli.store.assume({ holder: 'gone', atMs: NOW_MS })
    })
    expect(exitCode).toBe(0)
    expect(find('requests')).toMatchObject({ state: 'notice', detail: '1 open, 1 of them expired' })
    expect(find('assumed')).toMatchObject({ state: 'notice' })
  })
})
