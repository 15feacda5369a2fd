import { describe, expect, it } from 'vitest'
import { createCli } from './cli.fixture.ts'

describe('the command line', () => {
  it('refuses an unknown command with a suggestion, and exits with 2', async () => {
    const { exitCode, stdout, stderr } = await createCli().run('statsu')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain("unknown command 'statsu'")
    expect(stderr).toContain('Did you mean status?')
  })

  it('refuses an unknown subcommand, too', async () => {
    const { exitCode, stderr } = await createCli().run('budget', 'shwo')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Did you mean show?')
  })

  it('refuses an unknown flag with a suggestion', async () => {
    const { exitCode, stdout, stderr } = await createCli().run('status', '--al')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('Did you mean --all?')
  })

  it('refuses an extra argument', async () => {
    const { exitCode, stderr } = await createCli().run('status', 'team:core')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('too many arguments')
  })

  it('without a command shows its help on stderr and exits with 2', async () => {
    const { exitCode, stdout, stderr } = await createCli().run()
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('Usage: stint')
  })

  it.each([
    '',
    'run',
    'tasks',
    'watch',
    'interrupt',
    'status',
    'show',
    'explain',
    'budget',
    'budget set',
    'budget list',
    'budget show',
    'budget raise',
    'keys',
    'keys create',
    'keys list',
    'keys revoke',
    'serve',
    'pause',
    'resume',
    'stop',
    'raise',
    'requests',
    'approve',
    'deny',
    'assumed',
    'assumed list',
    'assumed settle',
    'assumed forgive',
    'verify',
    'doctor',
  ])('stint %s has help with an example and the global flags', async (command) => {
    const words = command.split(' ').filter((word) => word !== '')
    const { exitCode, stdout, stderr } = await createCli().run(...words, '--help')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/Examples?:\n {2}\$ stint /)
    expect(stdout).toContain('--json')
    expect(stdout).toContain('--store <ADDRESS>')
  })

  it('shows its version', async () => {
    const { exitCode, stdout } = await createCli().run('--version')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('prints only JSON on stdout with --json, and an error as one line of JSON on stderr', async () => {
    const cli = createCli()
    const good = await cli.run('status', '--json')
    expect(JSON.parse(good.stdout)).toMatchObject({ scopes: [] })
    expect(good.stderr).toBe('')
    const wrong = await cli.run('show', 'nobody', '--json')
    expect({ exitCode: wrong.exitCode, stdout: wrong.stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(JSON.parse(wrong.stderr)).toMatchObject({ error: { code: 'unknown_scope', retryable: false } })
    expect(wrong.stderr.trimEnd().split('\n')).toHaveLength(1)
    const usage = await cli.run('--json', 'statsu')
    expect(usage.exitCode).toBe(2)
    expect(JSON.parse(usage.stderr)).toMatchObject({ error: { code: 'bad_usage' } })
  })

  it('accepts global flags before and after the command', async () => {
    const cli = createCli()
    expect((await cli.json('--store', 'memory:', 'status')).store).toEqual({ kind: 'memory' })
    expect((await cli.json('budget', 'list', '--store', 'memory:')).budgets).toEqual([])
    expect(cli.opened).toEqual([])
  })

  it('never shows a stack, unless STINT_DEBUG is 1', async () => {
    const fail = () => {
      throw new TypeError('something inside')
    }
    const quiet = await createCli({ verify: fail }).run('verify')
    expect(quiet.exitCode).toBe(125)
    expect(quiet.stderr).toBe(
      'stint: something inside\nThis is a bug in Stint. Set STINT_DEBUG=1 to see where it happened.\n',
    )
    const loud = await createCli({ verify: fail, env: { STINT_DEBUG: '1' } }).run('verify')
    expect(loud.stderr).toContain('main.test.ts')
  })

  it('uses colours only on a terminal, and not with --no-color or NO_COLOR', async () => {
    const painted = async (options: Parameters<typeof createCli>[0], ...flags: readonly string[]): Promise<boolean> => {
      const cli = createCli(options)
      await cli.open({ id: 'triage' }, { toolCalls: 5 })
      const { stdout } = await cli.run('status', ...flags)
      expect(stdout).toContain('triage')
      return stdout.includes('\u001b')
    }
    expect(await painted({ isTerminal: true })).toBe(true)
    expect(await painted({ isTerminal: false })).toBe(false)
    expect(await painted({ isTerminal: true }, '--no-color')).toBe(false)
    expect(await painted({ isTerminal: true, env: { NO_COLOR: '1' } })).toBe(false)
  })

  it('escapes control sequences in what an agent wrote', async () => {
    const cli = createCli()
    await cli.open({ id: 'triage', labels: { task: 'tidy\u001b[2J up' } })
    await cli.store.pause({ scopeId: 'triage', reason: 'one\ntwo\u001b[31m', atMs: 1 })
    const { stdout } = await cli.run('show', 'triage')
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain('tidy\\u001b[2J up')
    expect(stdout).toContain('one\\u000atwo')
  })
})
