import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { createRunnerMachine } from '../runner-cli/machine.ts'
import { createGroupStage } from './modes.fixture.ts'

const CHAIN = `name: review
description: Looks, fans out, and sums up.
steps:
  - { agent: plain, task: "List {task}", as: list, outputSchema: { type: array } }
  - expand: { from: { output: list }, maxItems: 6 }
    parallel: { agent: plain, task: "Look at {item}", limits: { cost: 0.25 } }
    collect: { as: found }
`

describe('stint plan', () => {
  it('counts what a fan-out may start, and says which limit its worst case exceeds, without a key', async () => {
    const machine = createRunnerMachine()
    machine.write('review.chain.yaml', CHAIN)
    const end = await machine.run('plan', 'review.chain.yaml', 'the diff', '--limit', 'cost=2')
    expect(end.exitCode).toBe(1)
    expect(end.stdout).toMatch(/^2 +plain ×6 +6 /m)
    expect(end.stdout).toContain('cost: the worst case is $2.50, and the limit is $2.00 (the flag --limit cost=2).')
  })

  it('exits with 0 where it fits, and has everything in JSON', async () => {
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

  it('refuses what is neither a chain nor an agent with its task', async () => {
    const end = await createRunnerMachine().run('plan', 'nothing')
    expect(end.exitCode).toBe(2)
    expect(end.stderr).toContain('AGENT: TASK, e.g.')
  })
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
