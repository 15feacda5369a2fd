import { describe, expect, it } from 'vitest'
import { writeFileInFolder } from '../../house/temporary-folder.ts'
import { createRunnerMachine, type RunnerMachine } from './machine.ts'

const ANSWER = [{ text: 'Done.' }]
const FLAGS = ['--model', 'scripted/play.json'] as const

/** An agent of the user's own, with a budget of the team in the published form. */
function machineWith(limits: string): RunnerMachine {
  const machine = createRunnerMachine()
  writeFileInFolder(
    machine.folder,
    '.stint/agents/spender.md',
    `---\nname: spender\ntools: read\nexecution_limits: ${limits}\n---\nDo as you are told.\n`,
  )
  machine.script('play', ANSWER)
  return machine
}

const budgets = async (machine: RunnerMachine) =>
  (await machine.json<{ budgets: { id: string; path: string; totals: object }[] }>('budget', 'list')).document.budgets

describe('stint run with a budget of a team or a user', () => {
  it('spends from both, which the agent’s file creates if they have no limit yet', async () => {
    const machine = machineWith('{ team_budget_usd: 100, user_budget_usd: 10 }')
    const end = await machine.json('run', 'spender', 'go', ...FLAGS, '--team', 'core', '--user', 'ann')
    expect(end).toMatchObject({ exitCode: 0, document: { status: 'completed' } })
    const [team, user] = await budgets(machine)
    expect([team?.path, user?.path]).toEqual(['team:core', 'team:core/user:ann'])
    expect(team).toMatchObject({ totals: { modelCalls: { settled: 1 } } })
    expect(user).toMatchObject({ totals: { modelCalls: { settled: 1 } } })
    const shown = await machine.run('budget', 'list')
    expect(shown.stdout).toMatch(/team:core +cost +\$100\.00|team:core.*\$100/)
    const second = await machine.run('run', 'spender', 'go', ...FLAGS, '--team', 'core')
    expect(second).toMatchObject({ exitCode: 2 })
    expect(second.stderr).toContain('--user ann')
  })

  it('takes both from the user’s own config, with an existing budget', async () => {
    const machine = machineWith('{ team_budget_usd: 100 }')
    writeFileInFolder(machine.folder, '.config/stint/config.yaml', 'team: core\nuser: ann\n')
    await machine.run('budget', 'set', 'team:core', '--limit', 'cost=50')
    await machine.run('budget', 'set', 'user:ann', '--within', 'team:core', '--limit', 'cost=5/day')
    expect(await machine.run('run', 'spender', 'go', ...FLAGS)).toMatchObject({ exitCode: 0 })
    expect(await budgets(machine)).toMatchObject([
      { path: 'team:core', totals: { modelCalls: { settled: 1 } } },
      { path: 'team:core/user:ann', totals: { modelCalls: { settled: 1 } } },
    ])
  })

  it('shows in dollars how to name the team, and starts nothing', async () => {
    const machine = machineWith('{ team_budget_usd: 100 }')
    const end = await machine.run('run', 'spender', 'go', ...FLAGS, '--id', 'T1')
    expect(end.exitCode).toBe(2)
    expect(end.stderr).toContain('execution_limits.team_budget_usd is "$100"')
    expect(end.stderr).toContain('--team core')
    expect((await machine.run('show', 'T1')).exitCode).not.toBe(0)
  })

  it('says what to write instead of a limit of the run', async () => {
    const machine = machineWith('{ max_turns: 5 }')
    const end = await machine.run('run', 'spender', 'go', ...FLAGS, '--limit', 'team_budget_usd=100')
    expect(end.exitCode).toBe(2)
    expect(end.stderr).toContain('stint budget set team:core --limit cost=100')
    expect(end.stderr).toContain('--team core')
  })

  it('in an untrusted project creates no budget, names no team, and only bounds its own run', async () => {
    const machine = createRunnerMachine()
    machine.script('play', ANSWER)
    machine.write('stint.config.yaml', 'team: core\nexecution_limits: { team_budget_usd: 0.000001 }\n')
    machine.write('.stint/agents/theirs.md', '---\nname: theirs\nexecution_limits: { team_budget_usd: 90 }\n---\nGo.\n')
    const end = await machine.json('run', 'theirs', 'go', ...FLAGS)
    expect(end.document).toMatchObject({ status: 'limit-reached', breach: { meter: 'cost' } })
    expect(await budgets(machine)).toEqual([])
    await machine.run('budget', 'set', 'team:core', '--limit', 'cost=50')
    await machine.run('run', 'theirs', 'go', ...FLAGS, '--team', 'core')
    expect((await machine.run('budget', 'show', 'team:core')).stdout).toContain('$50')
  })
})
