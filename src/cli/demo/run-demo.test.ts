import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MeterUsage } from '../../core/index.ts'
import { createCli } from '../cli.fixture.ts'

interface Played {
  readonly exitCode: number
  readonly loop: Run
  readonly fanOut: { readonly runs: readonly Run[]; readonly pool: { settled: number; limit: number; overrun: number } }
  readonly ledger: { readonly ok: boolean; readonly file: string | null }
}
interface Run {
  readonly status: string
  readonly output: string | null
  readonly partialOutput: string | null
  readonly breach: { readonly meter: string; readonly scope: string } | null
  readonly usage: { readonly toolCalls: MeterUsage; readonly cost: MeterUsage }
}

const ESCAPE = '\u001b['

describe('stint demo', () => {
  it('stops a looping agent at exactly five tool calls, shares a pool without overspending, and keeps its ledger if asked', async () => {
    const cli = createCli()
    const { loop, fanOut, ledger, exitCode } = (await cli.json('demo', '--fast', '--keep')) as unknown as Played
    const folder = dirname(dirname(ledger.file!))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    expect(exitCode).toBe(0)
    expect(loop).toMatchObject({
      status: 'limit-reached',
      breach: { meter: 'toolCalls' },
      usage: { toolCalls: { settled: 5 } },
    })
    expect(loop.partialOutput).toMatch(/^I read pages 1 to 5: .* Missing: pages 6 to 72\.$/)

    const { runs, pool } = fanOut
    expect(runs).toHaveLength(8)
    expect(pool.overrun).toBe(0)
    expect(pool.settled).toBeLessThanOrEqual(pool.limit)
    expect(runs.reduce((sum, { usage }) => sum + usage.cost.settled, 0)).toBe(pool.settled)
    const finished = runs.filter(({ status }) => status === 'completed')
    const stopped = runs.filter(({ status }) => status === 'limit-reached')
    expect([finished.length > 0, stopped.length > 0, finished.length + stopped.length]).toEqual([true, true, 8])
    for (const { output } of finished) expect(output).toContain('That is all of it.')
    for (const { breach, partialOutput } of stopped) {
      expect(breach).toMatchObject({ meter: 'cost', scope: 'team:demo' })
      expect(partialOutput).not.toBe(null)
    }
    expect(existsSync(join(folder, 'project', '.stint', 'agents', 'reader.md'))).toBe(true)
    expect(existsSync(join(folder, 'home', 'tasks'))).toBe(true)
  })

  it('prints line by line without a terminal, suggests what to try next, and leaves nothing behind', async () => {
    const cli = createCli()
    const { stdout, stderr } = await cli.run('demo', '--fast')
    expect(stdout).not.toContain(ESCAPE)
    expect(stderr).toBe('')
    expect(stdout.match(/^ {3}read handbook\/page-\d\d\.md$/gm)).toHaveLength(5)
    expect(stdout).toContain('read handbook/page-06.md  refused before it ran\n')
    expect(stdout).toContain('■■■■■ turns 5 of 5')
    expect(stdout).toContain('of $1.50, $0.00 over.')
    expect(stdout.split('Try next\n')[1]!.match(/^ {3}npx stint /gm)).toHaveLength(3)
    expect(cli.opened.map((file) => existsSync(dirname(dirname(file))))).toEqual([false])
  })

  it('redraws in place on a terminal, restores the cursor, and fails if the ledger does not add up', async () => {
    const verify = () => ({ ok: false, entries: 7, scopes: 2, problems: [] })
    const cli = createCli({ isTerminal: true, env: { NO_COLOR: '1' }, verify })
    const { stdout, exitCode } = await cli.run('demo', '--fast')
    expect(stdout).toContain(`${ESCAPE}0J`)
    expect(stdout.split(`${ESCAPE}?25l`)).toHaveLength(stdout.split(`${ESCAPE}?25h`).length)
    expect([exitCode, stdout.includes('it does not add up')]).toEqual([1, true])
  })

  it('ends when it is interrupted, and cleans up', async () => {
    const cli = createCli()
    const playing = cli.run('demo')
    await expect.poll(() => cli.said.out).toContain('read handbook/page-01.md')
    cli.stop()
    expect(await playing).toMatchObject({ exitCode: 130 })
    expect(existsSync(dirname(dirname(cli.opened[0]!)))).toBe(false)
  })
})
