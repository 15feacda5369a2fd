import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ChildInput, Plan } from '../../../src/runner/index.ts'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { createRunnerMachine } from '../runner-cli/machine.ts'
import { createTeam } from '../subagents/subagents.fixture.ts'
import { createGroupStage, modelThat } from './modes.fixture.ts'

const CHAIN = `name: review
description: Looks, fans out, and sums up.
steps:
  - { agent: plain, task: "List {task}", as: list, outputSchema: { type: array } }
  - expand: { from: { output: list }, maxItems: 6 }
    parallel: { agent: plain, task: "Look at {item}", limits: { cost: 0.25 } }
    collect: { as: found }
`

describe('stint plan', () => {
  it('counts the agents of a fan-out, and says which limit its worst case exceeds, without a key', async () => {
    const machine = createRunnerMachine()
    machine.write('review.chain.yaml', CHAIN)
    const end = await machine.run('plan', 'review.chain.yaml', 'the diff', '--limit', 'cost=2')
    expect(end.exitCode).toBe(1)
    expect(end.stdout).toMatch(/^2 +plain ×6 +6 /m)
    expect(end.stdout).toContain('cost: the worst case is $2.50, and the limit is $2.00 (the flag --limit cost=2).')
  })

  it('exits with 0 if it fits, and has everything in JSON', async () => {
    const machine = createRunnerMachine()
    const end = await machine.run(
      'plan',
      'plain: one',
      'plain: two',
      '--limit',
      'tokens=50k',
      '--share',
      'equal',
      '--json',
    )
    expect(end.exitCode).toBe(0)
    expect(JSON.parse(end.stdout)).toMatchObject({
      fits: true,
      agents: 2,
      worstCase: { tokens: 50_000, modelCalls: null },
      breaches: [],
      steps: [{ kind: 'parallel', children: [{ agent: 'plain' }, { agent: 'plain' }] }],
    })
  })

  it('names the file of a chain as the place of its deadline', async () => {
    const machine = createRunnerMachine()
    machine.write('review.chain.yaml', `${CHAIN}timeoutMs: 1500\n`)
    const { document } = await machine.json<Plan>('plan', 'review.chain.yaml', 'the diff')
    const deadline = document.limits.find(({ meter }) => meter === 'wallTime')
    const file = join(machine.projectFolder, 'review.chain.yaml')
    expect(deadline).toMatchObject({ max: 1500, action: 'terminate', source: { field: 'timeoutMs', file } })
  })

  it('refuses what is neither a chain nor an agent with its task', async () => {
    const end = await createRunnerMachine().run('plan', 'nothing')
    expect(end.exitCode).toBe(2)
    expect(end.stderr).toContain('There is no chain "nothing". Put one into .stint/chains')
  })
})

it('counts reviewers as often as the work may be sent back, and agents of handoffs', async () => {
  const model = modelThat(() => ({ text: 'never asked' }))
  const stage = createTeam({ boss: model, a: model }, { agents: { a: { tools: ['read', 'handoff'] } } })
  const { runner, workingFolder } = stage
  const planOf = (task: ChildInput) => runner.plan({ tasks: [{ task: 'x', ...task }], workingFolder })
  const acceptance = { criteria: ['it works'], review: { agent: 'a' }, maxFinalizationTurns: 2 }
  expect((await planOf({ agent: 'boss', tools: ['read'], acceptance })).agents).toBe(4)
  expect((await planOf({ agent: 'boss', tools: ['read'], acceptance: false })).agents).toBe(1)
  const limits = { spawns: 3 }
  expect((await planOf({ agent: 'a', limits })).agents).toBe(4)
  expect((await planOf({ agent: 'a' })).agents).toBe(null)
})

it('runner.plan starts nothing', async () => {
  const model = createScriptedLanguageModel(function* () {
    yield { text: 'never asked' }
  })
  const { runner, workingFolder, taskFolder } = createGroupStage({ a: model })
  const plan = await runner.plan({ tasks: [{ agent: 'a', task: 'x', count: 3 }], workingFolder, id: 'g' })
  expect(plan).toMatchObject({ agents: 3, fits: true })
  expect(existsSync(join(taskFolder, 'g'))).toBe(false)
})
