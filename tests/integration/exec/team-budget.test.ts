import { describe, expect, it, onTestFinished } from 'vitest'
import { createScriptedProvider, loopForEver } from '../../../src/testing/provider/index.ts'
import { writeFileInFolder } from '../../house/temporary-folder.ts'
import { ANY_AGENT, createMachine } from './start-exec.ts'

async function machineWith(config: string) {
  const provider = await createScriptedProvider({ script: loopForEver() })
  onTestFinished(() => provider.close())
  const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl })
  writeFileInFolder(machine.folder, '.config/stint/config.yaml', config)
  return { machine, provider }
}

describe('stint exec with a team budget', () => {
  it('ends a second command when both together have spent what the config allows', async () => {
    const { machine, provider } = await machineWith('team: core\nexecution_limits: { team_budget_usd: 0.0016 }\n')
    const first = await machine.exec(['--limit', 'turns=2'], ANY_AGENT)
    expect(first.stderr).toContain('turns 2 of 2')
    const second = await machine.exec([], ANY_AGENT)
    expect(second.exitCode).toBe(124)
    expect(second.stderr).toContain('"team:core"')
    expect(provider.book().costNanoUsd).toBeLessThanOrEqual(1_600_000n)
    const shown = JSON.parse((await machine.start(['budget', 'show', 'team:core', '--json']).ended).stdout)
    expect(shown.budget.totals.costNanoUsd.settled).toBe(Number(provider.book().costNanoUsd))
  })

  it('that does not exist, or is misspelled, is refused before the command is started', async () => {
    const { machine, provider } = await machineWith('')
    const end = await machine.exec(['--team', 'croe'], ANY_AGENT)
    expect(end.exitCode).not.toBe(0)
    expect(end.stderr).toContain('There is no budget "team:croe"')
    const unnamed = await machine.exec(['--limit', 'user_budget_usd=5'], ANY_AGENT)
    expect(unnamed.stderr).toContain('stint budget set user:ann --limit cost=100/day')
    expect(provider.requestCount).toBe(0)
  })
})
