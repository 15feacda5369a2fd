import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call, createTeam, modelThat, turns } from './subagents.fixture.ts'

const NO_CALL_LIMIT = [{ layer: 'call', limits: { toolCalls: 1_000 } } as const]
const echo = () => modelThat((asked) => ({ text: `<${asked}>` }))

/** What a model is told for one call of a tool. */
async function toldFor(input: unknown, name = 'subagent'): Promise<string> {
  const boss = turns(
    () => call(name, input),
    (told) => ({ text: told }),
  )
  const {
    runner,
    boss: agent,
    workingFolder,
  } = createTeam({ boss, a: echo() }, { boss: { handoffs: { a: {} } }, limits: { a: { limits: { toolCalls: 5 } } } })
  const result = await runner.run({ agent, task: 'go', workingFolder })
  expect(result).toMatchObject({ status: 'completed' })
  return result.output ?? ''
}

describe('calls of the subagent tools', () => {
  it.each([
    [{ agent: 'x', task: 'y' }, /no agent "x"|Unknown agent "x"|"x"/],
    [{ task: 'y' }, /^agent is missing\. Name one; \{ "action": "list" \} shows them\.$/],
    [{ agent: 'a' }, /^task is missing\. Say what a is to do/],
    [{ agent: 'a', taks: 'y', task: 'y' }, /no field "taks"\. Did you mean "task"\?/],
    [{ agent: 'a', task: 'y', verify: [{ command: 'rm -rf /' }] }, /verify runs commands\. .*Leave verify out\./],
    [{ tasks: [{ agent: 'a', task: 'y', tools: ['bash'] }] }, /tasks\[0\]: tools are those of the agent/],
    [{ tasks: [], chain: [] }, /not both/],
    [{ tasks: [] }, /tasks is not a list with at least one item/],
    [{ tasks: [{ agent: 'a', task: 'y' }], agent: 'a' }, /not both/],
    [{ tasks: [{ agent: 'a', task: 'y', count: 100_000 }] }, /count/],
    [{ chain: [{ agent: 'a', task: '{outputs.none}' }] }, /none/],
    [{ agent: 'a', task: 'y', limits: { mesages: 3 } }, /mesages.*messages/s],
    [{ agent: 'a', task: 'y', limits: { toolCalls: 'lots' } }, /lots/],
    [{ action: 'create', agent: 'b' }, /only people create and change agents/],
    [{ action: 'dance' }, /dance is not an action/],
    [{ action: 'status', id: 'run-of-another' }, /You have started nothing with the id "run-of-another"/],
    [{ action: 'resume', id: '../../etc' }, /You have started nothing with the id/],
    [{ action: 'interrupt' }, /^id is missing\.$/],
    [{ action: 'list' }, /^a: An agent of a test\.\nboss: /],
    [{ action: 'get', agent: 'a' }, /^a: An agent of a test\.\ntools: none\nlimits: toolCalls 5/],
    [{ action: 'status' }, /^You have started nothing yet\.$/],
  ])('%j is answered with what to do instead', async (input, words) => {
    expect(await toldFor(input)).toMatch(words)
  })

  it('a handoff only goes to the agents that the file names', async () => {
    expect(await toldFor({ agent: 'boss', task: 'x' }, 'handoff')).toBe(
      'You may not hand over to "boss". Choose from a.',
    )
  })

  it('limits of a model only lower those of the agent', async () => {
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'x', limits: { toolCalls: '50', cost: '0.10' } }, 'kid'),
      (told) => ({ text: told }),
    )
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam({ boss, a: echo() }, { limits: { a: { limits: { toolCalls: 5 } } } })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r' })
    const { usage } = result.children[0]!
    expect(usage?.toolCalls.limit).toBe(5)
    expect(usage?.cost.limit).toBe(100_000_000)
  })

  it('an agent in the background can be polled until it is done', async () => {
    const boss = modelThat((told, { messages }) => {
      if (messages.at(-1)?.role !== 'tool') return call('subagent', { agent: 'a', task: 'quick', async: true }, 'quick')
      const isDone = told.includes('completed')
      return isDone ? { text: told } : call('subagent', { action: 'status', id: 'r.quick' })
    })
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a: echo() })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers: NO_CALL_LIMIT })
    expect(result.output).toMatch(/^a: completed\. .*<quick>$/s)
    expect(result.children).toMatchObject([{ id: 'r.quick', status: 'completed', output: '<quick>' }])
  })

  it('an agent in the background ends with its parent', async () => {
    const endless = modelThat(() => call('budget', { action: 'status' }))
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'quick', async: true }, 'quick'),
      () => ({ text: 'done' }),
    )
    const { runner, governor, boss: agent, workingFolder } = createTeam({ boss, a: endless })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r' })
    expect(result).toMatchObject({ status: 'completed', output: 'done' })
    expect(result.children).toMatchObject([{ id: 'r.quick', status: 'stopped' }])
    expect((await governor.find('r.quick'))?.status() ?? 'stopped').toBe('stopped')
  })
})

describe('a report', () => {
  it('an answer that is too long for the parent is cut, and says in which file all of it is', async () => {
    const long = `${'word '.repeat(11_999)}word!`
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'talk' }, 'x'),
      (told) => ({ text: told }),
    )
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a: modelThat(() => ({ text: long })) })
    const { output } = await runner.run({ agent, task: 'go', workingFolder })
    const [, left, file] = /\[cut: (\d+) more characters; the whole text is in (.+)\]$/.exec(output!)!
    expect([output!.length < 52_000, Number(left)]).toEqual([true, long.length - 50_000])
    expect(readFileSync(file!, 'utf8')).toBe(long)
  })
})
