import { describe, expect, it } from 'vitest'
import { ANY_AGENT } from '../exec/start-exec.ts'
import { createClonedProject } from './cloned-project.ts'

// any-agent.mjs asks for 500 tokens at most, a hundred times.
const MODEL = 'gpt-4.1-mini'
const AGENT = [...ANY_AGENT, MODEL]
const LIMIT_USD = 0.003
const LIMIT_NANO_USD = LIMIT_USD * 1e9

const FREE = `prices: { ${MODEL}: { input: 0, output: 0 } }\n`
const CHEAP = `prices: { ${MODEL}: { input: 0.01, output: 0.01 } }\n`
const USER_LIMIT = { '.config/stint/config.yaml': `limits: { cost: ${LIMIT_USD} }\n` }
const USER_CEILING = { '.config/stint/config.yaml': `ceilings: { cost: ${LIMIT_USD} }\n` }
const FLAG = ['--limit', `cost=${LIMIT_USD}`]

describe('a cloned project, under stint exec', () => {
  it.each([
    ['prices of nothing, and a flag', FREE, {}, FLAG],
    ['prices of next to nothing, and a flag', CHEAP, {}, FLAG],
    ['prices of nothing, and the user’s own limit', FREE, USER_LIMIT, []],
    ['prices of nothing, and a ceiling', FREE, USER_CEILING, ['--limit', 'cost=5']],
    ['onLimit: warn, and a flag', 'onLimit: warn\n', {}, FLAG],
    ['onLimit: warn, and the user’s own limit', 'onLimit: warn\n', USER_LIMIT, []],
    ['a limit that is taken away', 'limits: { cost: unlimited }\n', USER_LIMIT, []],
    ['a limit that is raised', 'limits: { cost: 50 }\n', USER_LIMIT, []],
    ['a limit that only warns', `limits: ["cost=${LIMIT_USD / 2}:warn"]\n`, USER_LIMIT, []],
    ['a ceiling that only warns', `ceilings: ["cost=${LIMIT_USD / 2}:warn"]\n`, USER_CEILING, []],
  ])('spends no more than is allowed: %s', async (_, config, home, flags) => {
    const project = await createClonedProject({ 'project/stint.config.yaml': config, ...home })
    const { exitCode, stderr, report } = await project.exec(flags, AGENT)
    expect(exitCode).toBe(124)
    expect(report).toMatchObject({ status: 'limit-reached', breach: { meter: 'cost' } })
    expect(report.usage.cost!.settled).toBe(Number(project.provider.book().costNanoUsd))
    expect(Number(project.provider.book().costNanoUsd)).toBeLessThanOrEqual(LIMIT_NANO_USD)
    const line = stderr.split('\n').find((each) => each.includes('This folder is not trusted'))
    expect(line).toMatch(/^stint: .*stint\.config\.yaml:1.*stint trust$/)
  })

  it('cannot lift a limit of the environment or a flag', async () => {
    const project = await createClonedProject({ 'project/stint.config.yaml': `${FREE}onLimit: warn\n` })
    const env = { STINT_LIMITS: `cost=${LIMIT_USD}` }
    const { exitCode } = await project.start(['exec', '--', ...AGENT], env).ended
    expect(exitCode).toBe(124)
    expect(Number(project.provider.book().costNanoUsd)).toBeLessThanOrEqual(LIMIT_NANO_USD)
  })

  it('is charged to a shared budget in full', async () => {
    const project = await createClonedProject({ 'project/stint.config.yaml': FREE })
    await project.stint('budget', 'set', 'team:core', '--limit', `cost=${LIMIT_USD}`)
    await project.exec(['--within', 'team:core'], AGENT)
    const { budget } = JSON.parse((await project.stint('budget', 'show', 'team:core', '--json')).stdout)
    expect(budget.totals.costNanoUsd.settled).toBe(Number(project.provider.book().costNanoUsd))
    expect(budget.totals.costNanoUsd.settled).toBeLessThanOrEqual(LIMIT_NANO_USD)
  })

  it.each([
    ['log: { file: ~/victim.txt, maxBytes: 1024, keep: 1 }\n'],
    ['log: ../victim.txt\n'],
    ['log: { file: ../victim, maxBytes: 1024 }\n'],
    ['log: { file: ../other, maxBytes: 1024, keep: 1 }\n'],
  ])('overwrites no file of the user by %j', async (config) => {
    const precious = 'precious\n'.repeat(300)
    const files = ['victim.txt', 'victim.txt.1', 'victim', 'victim.lock', 'other.1']
    const project = await createClonedProject({
      'project/stint.config.yaml': config,
      ...Object.fromEntries(files.map((file) => [file, precious])),
    })
    for (let time = 0; time < 3; time++) {
      const { exitCode } = await project.exec(['--limit', 'cost=1'], [process.execPath, '-e', ''])
      expect(exitCode).toBe(0)
    }
    expect(files.map((file) => project.read(file))).toEqual(files.map(() => precious))
    expect(project.read('other')).toBeNull()
    expect(project.read('state/stint/logs/execution-limits.log')?.trim().split('\n').length).toBeGreaterThan(3)
  })

  it('overwrites none even if the user names it: a file that is not a log is left unchanged, with a warning', async () => {
    const project = await createClonedProject({
      'victim.txt': 'precious\n',
      '.config/stint/config.yaml': 'log: { file: ~/victim.txt, maxBytes: 10, keep: 1 }\n',
    })
    const { exitCode, stderr } = await project.exec([], [process.execPath, '-e', ''])
    expect(exitCode).toBe(0)
    expect(project.read('victim.txt')).toBe('precious\n')
    expect(stderr).toContain('victim.txt is not a Stint log')
  })

  it('does not move runs out of the user’s ledger, or turn off a log', async () => {
    const project = await createClonedProject({ 'project/stint.config.yaml': 'store: "memory:"\nlog: false\n' })
    const { report, stderr } = await project.exec([], [process.execPath, '-e', ''])
    expect(stderr).toMatch(/This folder is not trusted.*store in .*:1, log in .*:2/)
    const { scopes } = JSON.parse((await project.stint('status', '--all', '--json')).stdout)
    expect(scopes).toMatchObject([{ id: report.id }])
    expect(project.read('state/stint/logs/execution-limits.log')).toContain(report.id)
  })

  it('causes no message, and may set its own limits, if it asks for nothing more', async () => {
    const project = await createClonedProject({ 'project/stint.config.yaml': 'limits: { turns: 2 }\n' })
    const { exitCode, stderr, report } = await project.exec([], AGENT)
    expect({ exitCode, isSaid: stderr.includes('not trusted') }).toEqual({ exitCode: 124, isSaid: false })
    expect(report).toMatchObject({ breach: { meter: 'toolCalls', limit: 2 } })
  })
})

describe('a cloned project, once it is trusted', () => {
  it('has its prices used, until they change', async () => {
    const project = await createClonedProject({ 'project/stint.config.yaml': `${FREE}` })
    expect(await project.stint('trust', '--trust')).toMatchObject({ exitCode: 0 })
    const trusted = await project.exec([...FLAG, '--limit', 'turns=30'], AGENT)
    expect(trusted.report).toMatchObject({ breach: { meter: 'toolCalls' }, usage: { cost: { settled: 0 } } })
    expect(trusted.stderr).not.toContain('not trusted')
    project.write('project/stint.config.yaml', CHEAP)
    const changed = await project.exec([...FLAG, '--limit', 'turns=30'], AGENT)
    expect(changed.report).toMatchObject({ breach: { meter: 'cost' } })
    expect(changed.stderr).toContain('prices."gpt-4.1-mini" in')
    const named = await project.exec(['--trust', ...FLAG, '--limit', 'turns=30'], AGENT)
    expect(named.report).toMatchObject({ breach: { meter: 'toolCalls' } })
  })
})
