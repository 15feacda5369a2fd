import { describe, expect, it } from 'vitest'
import { createCli, NOW_MS } from '../cli.fixture.ts'

async function createBusyCli(options: Parameters<typeof createCli>[0] = {}) {
  const cli = createCli(options)
  await cli.open({ id: 'team:core', kind: 'lasting', owner: null }, { cost: { max: 100, per: 'day' } })
  await cli.open({ id: 'run-1', name: 'triage' }, { toolCalls: 10, time: '10m' }, 'team:core')
  await cli.open({ id: 'run-2', name: 'reader', owner: 'holder-2' }, {}, 'run-1')
  await cli.open({ id: 'other', name: 'other' })
  const use = async (id: string, toolCalls: number) => {
    const call = { reservationId: id, scopeId: 'run-2', amounts: { toolCalls }, holder: 'holder-2', atMs: NOW_MS }
    await cli.store.reserve(call)
    await cli.store.settle({ reservationId: id, atMs: NOW_MS })
  }
  return { ...cli, use, close: (scopeId: string) => cli.store.close({ scopeId, status: 'completed', atMs: NOW_MS }) }
}

describe('stint watch', () => {
  it('shows the tree once, with meters, and a dead owner as stale', async () => {
    const cli = await createBusyCli({ isHolderAlive: (holder) => holder !== 'holder-2' })
    await cli.use('a', 3)
    const { stdout, exitCode } = await cli.run('watch', '--once')
    expect(exitCode).toBe(0)
    expect(stdout).toBe(
      [
        'SCOPE         ID         STATUS   USED                                    FOR',
        'team:core     team:core  running  cost $0.00 of $100.00/day, toolCalls 3',
        '└─ triage     run-1      running  toolCalls 3 of 10, time 0ms of 10m      0ms',
        '   └─ reader  run-2      stale    toolCalls 3                             0ms',
        'other         other      running                                          0ms',
        '',
      ].join('\n'),
    )
  })

  it('prints a line for each change without a terminal, and exits when the watched scope has ended', async () => {
    const cli = await createBusyCli()
    const answer = cli.run('watch', 'run-1', '--interval', '100ms')
    await expect.poll(() => cli.said.out).toContain('reader')
    await cli.use('a', 2)
    await expect.poll(() => cli.said.out).toContain('toolCalls 2 of 10')
    await cli.close('run-2')
    await cli.close('run-1')
    const { stdout, exitCode } = await answer
    expect(exitCode).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(0, 2)).toEqual([
      'team:core/triage running · toolCalls 0 of 10, time 0ms of 10m',
      'team:core/triage/reader running',
    ])
    expect(lines.at(-2)).toBe('team:core/triage completed · toolCalls 2 of 10, time 0ms of 10m')
    expect(lines.at(-1)).toBe('team:core/triage/reader completed · toolCalls 2')
    expect(stdout).not.toContain('other')
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('redraws on a terminal, restores the cursor, and exits when asked to', async () => {
    const cli = await createBusyCli({ isTerminal: true, env: { NO_COLOR: '1' } })
    const answer = cli.run('watch', '--interval', '100ms')
    await expect.poll(() => cli.said.out).toContain('\u001b[5A\r\u001b[0J')
    cli.stop()
    const { stdout, exitCode } = await answer
    expect(exitCode).toBe(0)
    expect(stdout.startsWith('\u001b[?25l')).toBe(true)
    expect(stdout.endsWith('\u001b[?25h')).toBe(true)
  })

  it('draws no more lines than the terminal has, and counts the omitted scopes', async () => {
    const cli = createCli({ isTerminal: true, env: { NO_COLOR: '1' } })
    for (let at = 0; at < 22; at++) await cli.open({ id: `run-${at}` })
    const drawn = async (): Promise<readonly string[]> => {
      const answer = cli.run('watch')
      await expect.poll(() => cli.said.out).toContain('run-')
      cli.stop()
      return (await answer).stdout.split('\u001b[?7h')[0]!.trimEnd().split('\n')
    }
    const all = await drawn()
    expect([all.length, all.at(-1)]).toEqual([23, expect.stringContaining('run-21')])
    for (const id of ['run-22', 'run-23']) await cli.open({ id })
    const cut = await drawn()
    expect([cut.length, cut.at(-1)]).toEqual([23, '… 3 more'])
    expect(cut.at(-2)).toContain('run-20')
  })

  it('prints a document on a line for each change with --json', async () => {
    const cli = await createBusyCli()
    const answer = cli.run('watch', 'other', '--json', '--interval', '100ms')
    await expect.poll(() => cli.said.out).toContain('\n')
    await cli.close('other')
    const { stdout } = await answer
    const documents = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(documents.map(({ scopes }) => scopes.map(({ id, status }: never) => [id, status]))).toEqual([
      [['other', 'running']],
      [['other', 'completed']],
    ])
  })

  it('exits without a terminal when everything open is paused, so that no script waits for a person', async () => {
    const cli = createCli()
    await cli.open({ id: 'run-1', name: 'triage' })
    await cli.store.pause({ scopeId: 'run-1', reason: 'a limit', by: 'test', atMs: NOW_MS })
    expect(await cli.run('watch')).toMatchObject({ exitCode: 0, stdout: 'triage paused\n' })
  })

  it('says when nothing is open, and refuses an unknown scope', async () => {
    const cli = createCli()
    expect(await cli.run('watch')).toMatchObject({ exitCode: 0, stdout: 'No scope is open.\n' })
    expect(await cli.run('watch', 'nobody')).toMatchObject({ exitCode: 1 })
    expect(await cli.run('watch', '--interval', 'soon')).toMatchObject({ exitCode: 2 })
    const tooShort = await cli.run('watch', '--interval', '10ms')
    expect(tooShort).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('at least 100ms') })
  })
})
