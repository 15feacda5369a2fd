import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findAgents, parseAcceptance, TRUST_EVERYTHING } from '../../../src/agents/index.ts'
import { acceptanceFrom } from '../../../src/cli/run/acceptance-flag.ts'
import { chainInFile } from '../../../src/runner/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { foundAgents } from '../groups/found-agents.ts'
import { agentFrom } from '../runner/agent-from.ts'
import { call, createTeam, turns } from '../subagents/subagents.fixture.ts'
import { createAcceptanceStage, reporting, satisfied } from './acceptance.fixture.ts'

const FILE = `---
tools: [read]
acceptance:
  criteria: [It works]
  verify: [{ id: tests, command: npm test }]
  review: {}
---
Work.
`
const project = (text: string) => {
  const workingFolder = createTemporaryFolder({ '.stint/agents/careful.md': text, '.git/HEAD': '' })
  return { workingFolder, homeFolder: createTemporaryFolder() }
}

describe('a contract', () => {
  it('H6: in an agent file is refused with file, line and field if it is invalid', () => {
    const text = '---\nname: careful\nacceptance:\n  criteria: [x]\n  maxFinalizationTurns: 11\n---\nWork.\n'
    const { problems } = findAgents(project(text))
    expect(problems).toMatchObject([{ line: 5, field: 'acceptance.maxFinalizationTurns', value: '11' }])
    expect(findAgents(project('---\nacceptance: {}\n---\n')).problems).toMatchObject([{ line: 2, field: 'acceptance' }])
  })

  it('of an untrusted project adds no command or reviewer, and says so; a trusted one does', () => {
    const places = project(FILE)
    const untrusted = findAgents(places)
    expect(untrusted.agents.get('careful')?.acceptance).toMatchObject({ verify: [], review: null })
    expect(untrusted.agents.get('careful')?.acceptance?.criteria).toHaveLength(1)
    expect(untrusted.leftOut.map(({ allows }) => allows)).toEqual([
      'runs npm test after careful',
      'has reviewer review the work of careful',
    ])
    const trusted = findAgents({ ...places, trust: TRUST_EVERYTHING }).agents.get('careful')?.acceptance
    expect(trusted).toMatchObject({ verify: [{ command: 'npm test' }], review: { agent: 'reviewer' } })
  })

  it('of a step decides whether its chain continues, in its own folder', async () => {
    const agents = foundAgents([agentFrom({ name: 'worker', completionGuard: false })])
    const stage = createAcceptanceStage([{ text: 'a' }, { text: 'b' }, { text: 'c' }], { findAgents: agents })
    const acceptance = { verify: [{ id: 'no', command: 'exit 4' }], maxFinalizationTurns: 1 }
    const steps = [{ agent: 'worker', acceptance }, { agent: 'worker' }]
    const { workingFolder } = stage
    const result = await stage.runner.chain({ chain: { steps }, task: 'go', workingFolder })
    expect(result.status).toBe('failed')
    expect(result.results).toMatchObject([
      { status: 'failed', error: expect.stringContaining('exit code 4'), acceptance: { status: 'rejected' } },
      { status: 'stopped' },
    ])
  })

  it('is in the example, which can be run', () => {
    const { steps } = chainInFile(join(import.meta.dirname, '../../../examples/fix-and-verify.chain.yaml'))
    expect(steps[1]).toMatchObject({ child: { acceptance: { verify: [{ id: 'tests' }], review: { required: true } } } })
  })

  it('of a model may not run a command or choose a reviewer, and only adds to that of the agent', async () => {
    const told: string[] = []
    const order = (acceptance: unknown) => (asked: string) => {
      told.push(asked)
      return call('subagent', { agent: 'a', task: 'go', acceptance })
    }
    const boss = turns(
      order({ criteria: ['x'], verify: [{ id: 'v', command: 'touch pwned' }] }),
      order({ review: {} }),
      order({ criteria: ['And this'], maxFinalizationTurns: 10 }),
      (asked) => {
        told.push(asked)
        return { text: 'Done.' }
      },
    )
    const own = parseAcceptance({ criteria: ['The own'], verify: [{ id: 'own', command: 'true' }] })
    const both = ['criterion-1', 'criterion-1-2'].map((id) => ({ id, status: 'satisfied', evidence: 'seen' }))
    const a = turns(
      () => reporting(satisfied),
      () => reporting({ criteriaSatisfied: both }),
    )
    const team = createTeam({ boss, a }, { agents: { a: { acceptance: own } } })
    const result = await team.runner.run({ agent: team.boss, task: 'go', workingFolder: team.workingFolder })
    expect(told[1]).toContain('verify runs commands. A person writes it')
    expect(told[2]).toContain('review starts an agent. A person writes it')
    expect(result.children.at(-1)).toMatchObject({
      status: 'completed',
      acceptance: { status: 'verified', finalizationTurns: 1, criteria: [{ must: 'The own' }, { must: 'And this' }] },
    })
  })

  it('on the command line is JSON or a file, and is refused with its line', () => {
    const folder = createTemporaryFolder({
      'done.yaml': 'criteria: [x]\nmaxFinalizationTurns: 0\n',
      'ok.yaml': 'review: {}',
    })
    expect(acceptanceFrom(folder, undefined)).toBeUndefined()
    expect(acceptanceFrom(folder, false)).toBe(false)
    expect(acceptanceFrom(folder, '{ "criteria": ["x"] }')).toEqual({ criteria: ['x'] })
    expect(acceptanceFrom(folder, 'ok.yaml')).toEqual({ review: {} })
    expect(() => acceptanceFrom(folder, 'done.yaml')).toThrow('maxFinalizationTurns in done.yaml:2 is 0, but must be')
    expect(() => acceptanceFrom(folder, '{}')).toThrow('--acceptance is an object')
    expect(() => acceptanceFrom(folder, 'none.yaml')).toThrow('--acceptance is "none.yaml"')
    expect(() => acceptanceFrom(folder, '{ "criteria": [')).toThrow('--acceptance')
  })
})
