import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../../src/runner/index.ts'
import { createRunnerMachine, type RunnerMachine, type Turn } from '../runner-cli/machine.ts'
import { call } from './subagents.fixture.ts'

type Ended = RunResult & { readonly exitCode: number }

const TWO = { tasks: [{ agent: 'plain', task: 'x', count: 2 }] }

/** A machine whose agents `lead` and `middle` may start others, and must ask above one. */
function createMachine(scripts: Readonly<Record<string, readonly Turn[]>>): RunnerMachine {
  const machine = createRunnerMachine()
  const write = (name: string, fields: string): void =>
    machine.write(
      `../.stint/agents/${name}.md`,
      `---\nname: ${name}\ndescription: works\nmodel: scripted/${name}.json\n${fields}\n---\nWork.\n`,
    )
  write('lead', 'tools: subagent\nlimits: { spawns: 9 }\naskAbove: { agents: 1 }')
  write('middle', 'tools: subagent\nlimits: { spawns: 9 }')
  write('plain', 'tools: read')
  machine.script('plain', [{ text: 'a word' }])
  for (const [name, turns] of Object.entries(scripts)) machine.script(name, turns)
  return machine
}

/** Runs the lead until it is paused for a question; returns that. */
async function pausedLead(machine: RunnerMachine): Promise<string> {
  const { document, stderr } = await machine.json<Ended>('run', 'lead', 'go', '--id', 'r')
  expect(document).toMatchObject({ exitCode: 75, status: 'paused', resumeUrl: '/tasks/r/resume' })
  expect(stderr.match(/Paused: /g)).toHaveLength(1)
  const request = document.request!
  expect(stderr).toContain(
    `To answer: stint approve ${request} (or: stint deny ${request})\n  To continue: stint resume r`,
  )
  return request
}

describe('a run that must ask before it starts agents, without a person to ask', () => {
  it('pauses with 75 and its output so far; after an approval a resume makes the call again, and counts it once', async () => {
    const machine = createMachine({
      lead: [{ text: 'I ask two.', ...call('subagent', TWO, 'one') }, { text: 'all done' }],
    })
    const request = await pausedLead(machine)
    expect(machine.meta('r')).toMatchObject({ partialOutput: 'I ask two.', usage: { modelCalls: { settled: 1 } } })
    const early = await machine.run('resume', 'r')
    expect([early.exitCode, early.stderr]).toEqual([1, expect.stringContaining(`stint approve ${request}`)])
    expect((await machine.run('requests')).stdout).toContain('Start up to 2 agents: plain ×2?')
    const approved = await machine.run('approve', request)
    expect([approved.exitCode, approved.stderr]).toEqual([0, expect.stringContaining('stint resume r')])
    const { document } = await machine.json<Ended>('resume', 'r')
    expect(document).toMatchObject({ exitCode: 0, output: 'all done', request: null })
    expect(document.children.map(({ status }) => status)).toEqual(['completed', 'completed'])
    expect(document.usage).toMatchObject({
      toolCalls: { settled: 1 },
      spawns: { settled: 2 },
      modelCalls: { settled: 4 },
    })
  })

  it('continues without them after a denial: the model is told, and nothing is asked again', async () => {
    const machine = createMachine({ lead: [call('subagent', TWO, 'one'), { text: 'then I do it' }] })
    const denied = await machine.run('deny', await pausedLead(machine))
    expect([denied.exitCode, denied.stderr]).toEqual([
      0,
      expect.stringContaining('To resume it without them: stint resume r'),
    ])
    const { document, stderr } = await machine.json<Ended>('resume', 'r')
    expect(stderr).not.toContain('will pause again')
    expect(document).toMatchObject({ exitCode: 0, output: 'then I do it' })
    expect(document.usage.spawns.settled).toBe(0)
    expect(readFileSync(join(machine.tasksFolder, 'r/transcript.jsonl'), 'utf8')).toContain('The agents limit of')
    expect((await machine.run('requests')).stdout).not.toContain('Start up to')
  })

  it('works for a subagent too: every call above it stays open, and continues with the run', async () => {
    const machine = createMachine({
      lead: [call('subagent', { agent: 'middle', task: 'y' }, 'one'), { text: 'all done' }],
      middle: [call('subagent', TWO, 'two'), { text: 'the middle is done' }],
    })
    await machine.run('approve', await pausedLead(machine))
    const { document } = await machine.json<Ended>('resume', 'r')
    expect(document).toMatchObject({ exitCode: 0, output: 'all done' })
    expect(document.children).toMatchObject([{ agent: 'middle', status: 'completed', output: 'the middle is done' }])
    expect(document.usage).toMatchObject({
      toolCalls: { settled: 2 },
      spawns: { settled: 3 },
      modelCalls: { settled: 6 },
    })
  })

  it('works for agents in the background too, and next to a running call', async () => {
    const one = { agent: 'plain', task: 'x' }
    const both = [call('subagent', { ...one, async: true }, 'one'), call('subagent', TWO, 'two')]
    const machine = createMachine({
      lead: [{ toolCalls: both.flatMap(({ toolCalls }) => toolCalls) }, { text: 'all done' }],
    })
    await machine.run('approve', await pausedLead(machine))
    let { document } = await machine.json<Ended>('resume', 'r')
    // What was missing depends on which of the two came first.
    if (document.request !== null) {
      await machine.run('approve', document.request)
      document = (await machine.json<Ended>('resume', 'r')).document
    }
    expect(document).toMatchObject({ exitCode: 0, output: 'all done' })
    expect(document.usage).toMatchObject({ spawns: { settled: 3 }, toolCalls: { settled: 2 } })
  })

  it('counts what it had planned before its process was killed', async () => {
    const machine = createMachine({
      // The first can cost nearly $1.00, which is all of the lead's limit.
      lead: [
        call('subagent', { agent: 'plain', task: 'x' }, 'one'),
        call('subagent', TWO, 'two'),
        { text: 'all done' },
      ],
    })
    machine.script('plain', [{ text: 'a word', delayMs: 60_000 }])
    const started = machine.start(['run', 'lead', 'go', '--id', 'r', '--ask-above', 'agents=9,cost=1.5'])
    await started.until(/plain-?1? runs/)
    started.child.kill('SIGKILL')
    await started.ended
    machine.script('plain', [{ text: 'a word' }])
    const { document } = await machine.json<Ended>('resume', 'r')
    expect(document).toMatchObject({ exitCode: 75, status: 'paused' })
    const { stdout } = await machine.run('requests')
    expect(stdout).toContain('Start up to 2 agents: plain ×2?')
    expect(stdout).toContain('can cost more than $1.50 together')
  })
})
