import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import type { RunnerStage } from '../runner/runner.fixture.ts'
import { call, createTeam } from '../subagents/subagents.fixture.ts'
import { createGroupStage, modelThat } from './modes.fixture.ts'

const MIB = 1024 * 1024
const echo = () => modelThat((asked) => ({ text: `<${asked}>` }))
const says = (text: string) =>
  modelThat(() => ({ text, ignoreCap: true, usage: { inputTokens: 100, outputTokens: 10 } }))
const limits = (given: object) => [{ layer: 'call', limits: given } as const]

/** Nothing has been written down, and nothing was asked of a model. */
function expectNothingBegan({ taskFolder }: RunnerStage, ...models: readonly ReturnType<typeof echo>[]): void {
  expect(existsSync(taskFolder)).toBe(false)
  for (const { book } of models) expect(book).toHaveLength(0)
}

/** Every scope has ended and holds nothing. */
async function expectNothingRuns({ store }: RunnerStage): Promise<void> {
  const scopes = await store.list({ standing: 'all', atMs: Date.now() })
  expect(scopes).not.toEqual([])
  expect(scopes.filter(({ status }) => status === 'running' || status === 'queued' || status === 'paused')).toEqual([])
}

/** A list of so many steps, each from its place. */
const many = <Step>(count: number, step: (place: number) => Step): readonly Step[] =>
  Array.from({ length: count }, (_, place) => step(place))

const fanOut = (more: object = {}, task = '{item}') => [
  { agent: 'a', as: 'plan' },
  { expand: { from: { output: 'plan' }, ...more }, parallel: { agent: 'b', task }, collect: { as: 'all' } },
]

describe('a chain with circular names', () => {
  it.each([
    ['its own output', [{ agent: 'a', as: 'x', task: 'more of {outputs.x}' }], /steps\[0\]\.task.*step 1 provides it/s],
    [
      'an output of a later step',
      [
        { agent: 'a', as: 'x', task: '{outputs.y}' },
        { agent: 'a', as: 'y', task: '{outputs.x}' },
      ],
      /steps\[0\]\.task.*step 2 provides it/s,
    ],
    [
      'its own fan-out as the list of that',
      [{ expand: { from: { output: 'x' } }, parallel: { agent: 'a', task: '{item}' }, collect: { as: 'x' } }],
      /expand\.from\.output.*step 1 provides it/s,
    ],
  ])('%s: is refused before anything starts', async (_, steps, message) => {
    const a = echo()
    const stage = createGroupStage({ a })
    const run = stage.runner.chain({ workingFolder: stage.workingFolder, task: 'it', chain: { steps } })
    await expect(run).rejects.toThrow(message)
    expectNothingBegan(stage, a)
  })

  it('a circular conversation is refused before anything starts', async () => {
    const a = echo()
    const stage = createGroupStage({ a })
    const message: { role: string; content: unknown } = { role: 'user', content: null }
    message.content = [message]
    const tasks = [{ agent: 'a', task: 'go' }]
    const { runner, workingFolder } = stage
    const run = runner.parallel({ workingFolder, tasks, context: 'fork', conversation: [message] })
    await expect(run).rejects.toThrow(/conversation/)
    expectNothingBegan(stage, a)
  })
})

describe('agents of a group that start each other', () => {
  it('end at the depth limit of the run, each with an answer that says so', async () => {
    const starts = (other: string) =>
      modelThat((told, { messages }) =>
        messages.at(-1)?.role === 'tool' ? { text: told } : call('subagent', { agent: other, task: 'your turn' }),
      )
    const tools = ['subagent']
    const stage = createTeam({ a: starts('b'), b: starts('a') }, { agents: { a: { tools }, b: { tools } } })
    const tasks = [{ agent: 'a', task: 'begin', count: 3 }]
    const result = await stage.runner.parallel({ workingFolder: stage.workingFolder, tasks })
    expect(result.counts).toBe('3 completed')
    for (const { output } of result.results) expect(output).toMatch(/depth limit/)
    await expectNothingRuns(stage)
  })
})

describe('too many agents', () => {
  it.each([
    ['10,000 steps', many(10_000, () => ({ agent: 'a' })), /It has 10000/],
    ['10,000 agents in a step', [{ parallel: many(10_000, () => ({ agent: 'a', task: 'go' })) }], /It has 10000/],
    ['one agent 10,000 times', [{ parallel: [{ agent: 'a', task: 'go', count: 10_000 }] }], /count/],
    ['a fan-out over up to 1e6 items', fanOut({ maxItems: 1e6 }), /maxItems/],
  ])('%s: is refused before anything starts', async (_, steps, message) => {
    const a = echo()
    const stage = createGroupStage({ a, b: echo() })
    const run = stage.runner.chain({ workingFolder: stage.workingFolder, task: 'it', chain: { steps: steps as never } })
    await expect(run).rejects.toThrow(message)
    expectNothingBegan(stage, a)
  })

  it('the most agents that a chain can start: the limit of the run ends it at the first, in a bounded result', async () => {
    const a = echo()
    const stage = createGroupStage({ a })
    const steps = many(5, () => ({ parallel: [{ agent: 'a', task: 'go', count: 1_000 }] }))
    const { runner, workingFolder } = stage
    const result = await runner.chain({ workingFolder, task: 'it', chain: { steps }, layers: limits({ spawns: 100 }) })
    expect(result).toMatchObject({
      status: 'limit-reached',
      breach: { meter: 'spawns', limit: 100 },
      error: expect.stringMatching(
        /^Step 1: 1000 children .* The spawns limit of "chain" leaves 100 .* To allow more, /,
      ),
    })
    expect(a.book).toHaveLength(0)
    await expectNothingRuns(stage)
  })

  it('a list of 1e6 items: reports how many there are, and starts none of their agents', async () => {
    const b = echo()
    const list = `[${'1,'.repeat(999_999)}1]`
    const stage = createGroupStage({ a: says(list), b })
    const run = { workingFolder: stage.workingFolder, task: 'it', chain: { steps: fanOut() } }
    const result = await stage.runner.chain(run)
    expect(result).toMatchObject({
      status: 'failed',
      error: 'Step 2: the output "plan" has 1000000 items, and maxItems is 50. Raise it, or ask for fewer.',
    })
    expect(b.book).toHaveLength(0)
    await expectNothingRuns(stage)
  })
})

describe('a template', () => {
  it.each([
    ['{outputs.nothing}', /no step before has an output called "nothing"/],
    ['{nothing}', /nothing has this name/],
    ['{outputs.__proto__} {outputs.constructor}', /"__proto__".*"constructor"/s],
    ['{item}', /there is no item outside of a fan-out/],
    ['{previous.constructor}', /has no parts/],
  ])('with an unknown name, %s: is refused before anything starts', async (task, message) => {
    const a = echo()
    const stage = createGroupStage({ a })
    const chain = {
      steps: [
        { agent: 'a', as: 'x' },
        { agent: 'a', task },
      ],
    }
    const error = await stage.runner.chain({ workingFolder: stage.workingFolder, task: 'it', chain }).catch((e) => e)
    expect(error.problems.map((each: { readonly message: string }) => each.message).join('\n')).toMatch(message)
    expectNothingBegan(stage, a)
  })

  it.each(['{item.path}', '{item.constructor}', '{item.__proto__.x}'])(
    'with a part that an item does not have, %s: none of its agents starts',
    async (task) => {
      const b = echo()
      const stage = createGroupStage({ a: says('[{"name":"x"}]'), b })
      const run = { workingFolder: stage.workingFolder, task: 'it', chain: { steps: fanOut({}, task) } }
      const result = await stage.runner.chain(run)
      expect(result).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/has no such part. It has name\.$/),
      })
      expect(b.book).toHaveLength(0)
      await expectNothingRuns(stage)
    },
  )
})

describe('10 MiB', () => {
  it('as {previous}, several times in one task: the task is bounded, and says where the whole text is', async () => {
    const huge = 'x'.repeat(10 * MIB)
    const b = modelThat((asked) => ({ text: String(asked.length) }))
    const stage = createGroupStage({ a: says(huge), b })
    const run = (task: string) =>
      stage.runner.chain({
        workingFolder: stage.workingFolder,
        task: 'it',
        chain: { steps: [{ agent: 'a' }, { agent: 'b', task }] },
      })
    const twice = await run('{previous} {previous}')
    expect(twice.status).toBe('completed')
    expect(Number(twice.output)).toBeLessThan(MIB)
    expect(readFileSync(join(twice.artifacts.shared, 'previous.md'), 'utf8')).toHaveLength(huge.length)
    const often = await run('{previous}'.repeat(100))
    expect(often).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Step 2: the task has \d+ characters/),
    })
    await expectNothingRuns(stage)
  })

  it('as items of a fan-out: each agent gets its whole item', async () => {
    const items = ['x', 'y'].map((letter) => letter.repeat(5 * MIB))
    const b = modelThat((asked) => ({ text: asked.slice(-300) }))
    const stage = createGroupStage({ a: says(JSON.stringify(items)), b })
    const run = { workingFolder: stage.workingFolder, task: 'it', chain: { steps: fanOut() } }
    const { status, results } = await stage.runner.chain(run)
    expect(status).toBe('completed')
    const found = results.slice(1).map(({ output }) => {
      return readFileSync(/the whole text is in (.+)\]$/.exec(output!)![1]!, 'utf8')
    })
    expect(found.map((text) => [text[0], text.length])).toEqual(items.map((item) => [item[0], item.length]))
  })
})

describe('worktrees that cannot be created', () => {
  const tasks = [{ agent: 'a', task: 'write', count: 3 }]

  function git(cwd: string, ...args: readonly string[]): void {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd })
  }

  function createProject(worktreeFolder?: string) {
    const a = echo()
    const stage = createGroupStage({ a }, { 'notes.txt': 'x' }, worktreeFolder === undefined ? {} : { worktreeFolder })
    git(stage.workingFolder, 'init', '--quiet')
    git(stage.workingFolder, 'add', '--all')
    git(stage.workingFolder, 'commit', '--quiet', '--message', 'first')
    return { ...stage, a }
  }

  const start = ({ runner, workingFolder }: RunnerStage) => runner.parallel({ tasks, worktree: true, workingFolder })

  it('without git: is refused before anything starts, with the fix', async () => {
    const stage = createProject()
    vi.stubEnv('PATH', createTemporaryFolder())
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(start(stage)).rejects.toThrow('git was not found. Worktrees need it: install git')
    expectNothingBegan(stage, stage.a)
  })

  it('in a dirty tree: is refused before anything starts, with the fix', async () => {
    const stage = createProject()
    writeFileSync(join(stage.workingFolder, 'new.txt'), 'new')
    await expect(start(stage)).rejects.toThrow(/uncommitted changes \(new\.txt\).*git stash/)
    expectNothingBegan(stage, stage.a)
  })

  // Nothing can be made below these, by root either.
  it.each([
    ['a file', () => join(createTemporaryFolder({ taken: 'a file' }), 'taken/worktrees')],
    ['what is read-only', () => '/proc/stint-worktrees'],
  ])('below %s: is refused before anything starts, with the place', async (_, place) => {
    const folder = place()
    const stage = createProject(folder)
    await expect(start(stage)).rejects.toThrow(`No worktree can be created in ${folder}`)
    expectNothingBegan(stage, stage.a)
  })

  it('because git fails: each agent fails with the reason, no model was called, and no folder is left', async () => {
    const stage = createProject()
    writeFileSync(join(stage.workingFolder, '.git/worktrees'), 'a file')
    const result = await start(stage)
    expect(result).toMatchObject({ status: 'failed', counts: '3 failed' })
    for (const { error } of result.results) expect(error).toMatch(/^No worktree could be created for .*git failed: /)
    expect(stage.a.book).toHaveLength(0)
    expect(readdirSync(`${stage.taskFolder}-worktrees`)).toEqual([])
    await expectNothingRuns(stage)
  })
})
