import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGroupStage, modelThat } from './modes.fixture.ts'

const echo = () => modelThat((asked) => ({ text: `<${asked}>` }))

describe('a chain', () => {
  it('passes each step the output of the one before, and named outputs to any later step', async () => {
    const { runner, workingFolder } = createGroupStage({ a: echo(), b: echo() })
    const result = await runner.chain({
      workingFolder,
      id: 'c',
      task: 'the {task} as it is',
      chain: {
        name: 'review',
        steps: [
          { agent: 'a', task: 'plan {task}', as: 'plan' },
          { agent: 'b' },
          { agent: 'a', task: '{{literal}} {outputs.plan} and {previous}', label: 'last' },
        ],
      },
    })
    expect(result).toMatchObject({ status: 'completed', name: 'review', path: 'review', counts: '3 completed' })
    const plan = '<plan the {task} as it is>'
    expect(result.output).toBe(`<{literal} ${plan} and <${plan}>>`)
    expect(result.results.map(({ id, status, step, as }) => [id, status, step, as])).toEqual([
      ['c.1', 'completed', 1, 'plan'],
      ['c.2', 'completed', 2, null],
      ['c.3', 'completed', 3, null],
    ])
    expect(readFileSync(result.artifacts.output!, 'utf8')).toBe(`${result.output}\n`)
    expect(JSON.parse(readFileSync(result.artifacts.meta, 'utf8'))).toMatchObject({ status: 'completed', id: 'c' })
    expect(runner.tasks.get('c')).toMatchObject({ status: 'completed', agent: 'review' })
    expect(runner.tasks.get('c.2')).toMatchObject({ status: 'completed', parent: 'c' })
  })

  it('H2: joins the outputs of a parallel step with a header each, for the next step', async () => {
    const { runner, workingFolder } = createGroupStage({ a: echo(), b: echo() })
    const result = await runner.chain({
      workingFolder,
      task: 'it',
      chain: {
        steps: [
          {
            parallel: [
              { agent: 'a', task: 'x' },
              { agent: 'b', task: 'y', as: 'why' },
            ],
            concurrency: 1,
          },
          { agent: 'a', task: '{previous}|{outputs.why}' },
        ],
      },
    })
    expect(result.output).toBe('<=== Parallel Task 1 (a) ===\n<x>\n\n=== Parallel Task 2 (b) ===\n<y>|<y>>')
  })

  it('H3: starts one agent for each item, in a stable order, and collects their answers', async () => {
    const a = modelThat(() => ({ text: 'Here:\n```json\n{"files":[{"path":"x/1","n":1},{"path":"y","n":2}]}\n```' }))
    const { runner, workingFolder, taskFolder } = createGroupStage({ a, b: echo(), c: echo() })
    const schema = { type: 'object', properties: { files: { type: 'array' } }, required: ['files'] }
    const result = await runner.chain({
      workingFolder,
      id: 'c',
      task: 'it',
      chain: {
        steps: [
          { agent: 'a', as: 'plan', outputSchema: schema },
          {
            expand: { from: { output: 'plan', path: '/files' }, item: 'file', key: '/path', maxItems: 2 },
            parallel: { agent: 'b', task: '{task} {file.path} {file.n} {file}', label: 'look at {file.path}' },
            collect: { as: 'looks' },
          },
          { agent: 'c', task: '{outputs.looks}' },
        ],
      },
    })
    expect(result.error).toBe(null)
    expect(result.results.map(({ agent, key, label, task }) => [agent, key, label, task]).slice(1, 3)).toEqual([
      ['b', 'x/1', 'look at x/1', 'it x/1 1 {"path":"x/1","n":1}'],
      ['b', 'y', 'look at y', 'it y 2 {"path":"y","n":2}'],
    ])
    const looks = JSON.parse(result.output!.slice(1, -1))
    expect(looks).toMatchObject([
      { key: 'x/1', index: 0, item: { n: 1 }, agent: 'b', text: '<it x/1 1 {"path":"x/1","n":1}>' },
      { key: 'y', index: 1 },
    ])
    const recorded = JSON.parse(readFileSync(join(taskFolder, 'c/step-2.json'), 'utf8'))
    expect(recorded).toMatchObject({ items: [{ n: 1 }, { n: 2 }], children: [{ key: 'x/1' }, { id: 'c.2.y' }] })
  })

  it.each([
    ['more than maxItems', '[1,2,3]', '', null, /3 items, and maxItems is 2/],
    ['a wrong pointer', '{"list":[1]}', '/items', null, /nothing at \/items. It has \/list/],
    ['what is not a list', '{"items":{}}', '/items', null, /not a list/],
    ['what is not JSON', 'hello', '', null, /is not JSON/],
    ['duplicate keys', '[{"k":"a"},{"k":"a"}]', '', '/k', /items 1 and 2 have the same key "a"/],
    ['an item without a key', '[{"k":"a"},{}]', '', '/k', /item 2 has no key/],
  ])('H3: a fan-out over %s is refused before any of its agents', async (_, text, path, key, message) => {
    const b = echo()
    const { runner, workingFolder } = createGroupStage({ a: modelThat(() => ({ text })), b })
    const result = await runner.chain({
      workingFolder,
      task: 'it',
      chain: {
        steps: [
          { agent: 'a', as: 'plan' },
          {
            expand: { from: { output: 'plan', path }, maxItems: 2, ...(key === null ? {} : { key }) },
            parallel: { agent: 'b', task: '{item}' },
            collect: { as: 'all' },
          },
          { agent: 'b', task: '{outputs.all}' },
        ],
      },
    })
    expect(result).toMatchObject({ status: 'failed', error: expect.stringMatching(message) })
    expect(result.error).toMatch(/^Step 2: /)
    expect(result.results.map(({ status, output }) => [status, output])).toEqual([
      ['completed', text],
      ['stopped', null],
    ])
    expect(b.book).toHaveLength(0)
  })

  it('H3: an empty list is skipped or fails, as configured', async () => {
    const run = async (onEmpty: 'skip' | 'fail') => {
      const { runner, workingFolder } = createGroupStage({ a: modelThat(() => ({ text: '[]' })), b: echo() })
      return runner.chain({
        workingFolder,
        task: 'it',
        chain: {
          steps: [
            { agent: 'a', as: 'plan' },
            {
              expand: { from: { output: 'plan' }, onEmpty },
              parallel: { agent: 'b', task: '{item}' },
              collect: { as: 'all' },
            },
            { agent: 'b', task: '{outputs.all} {previous}' },
          ],
        },
      })
    }
    expect(await run('skip')).toMatchObject({ status: 'completed', output: '<[] (no items)>', counts: '2 completed' })
    expect(await run('fail')).toMatchObject({ status: 'failed', error: expect.stringContaining('onEmpty is fail') })
  })

  it('an answer that does not match its outputSchema is sent back once, and then the chain fails', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const run = async (second: string) => {
      let calls = 0
      const a = modelThat(() => ({ text: ++calls === 1 ? '{"n":"one"}' : second }))
      const { runner, workingFolder } = createGroupStage({ a })
      const chain = { steps: [{ agent: 'a', outputSchema: schema }] }
      return { result: await runner.chain({ workingFolder, task: 'it', chain }), a }
    }
    const good = await run('{"n":1}')
    expect(good.result.results[0]).toMatchObject({
      status: 'completed',
      structured: { n: 1 },
      output: '{\n  "n": 1\n}',
    })
    expect(good.a.book[1]?.request.messages.at(-1)?.content).toContain('/n:')
    const bad = await run('still not')
    expect(bad.result).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('does not match outputSchema'),
    })
    expect(bad.result.results[0]).toMatchObject({ partialOutput: 'still not', output: null })
    expect(bad.a.book).toHaveLength(2)
  })

  it('a step that does not complete ends it, finished outputs are kept, and the others say why they are empty', async () => {
    const fails = modelThat(() => ({ error: { status: 401, message: 'no such key' } }))
    const { runner, workingFolder } = createGroupStage({ a: echo(), b: fails })
    const result = await runner.chain({
      workingFolder,
      task: 'it',
      chain: { steps: [{ agent: 'a' }, { agent: 'b' }, { parallel: [{ agent: 'a' }, { agent: 'a' }] }] },
    })
    expect(result).toMatchObject({ status: 'failed', counts: '1 completed, 1 failed, 2 stopped', output: null })
    expect(result.results.map(({ status, output }) => [status, output])).toEqual([
      ['completed', '<it>'],
      ['failed', null],
      ['stopped', null],
      ['stopped', null],
    ])
    expect(result.results[2]).toMatchObject({ error: 'Not started: step 2 did not complete.', artifacts: null })
    expect(result.error).toContain('no such key')
  })

  it('{chain_dir} is a folder that only its agents read and write', async () => {
    const a = modelThat((asked, { messages }) => {
      if (messages.some(({ role }) => role === 'tool')) return { text: `said: ${asked}` }
      const path = `${asked.slice(asked.indexOf('/'))}/note.md`
      const isFirst = asked.startsWith('write')
      return {
        toolCalls: [{ name: isFirst ? 'write' : 'read', arguments: { path, ...(isFirst ? { content: 'kept' } : {}) } }],
      }
    })
    const { runner, workingFolder } = createGroupStage({ a })
    const chain = {
      steps: [
        { agent: 'a', task: 'write {chain_dir}' },
        { agent: 'a', task: 'read {chain_dir}' },
      ],
    }
    const result = await runner.chain({ workingFolder, task: 'it', chain })
    expect(result.output).toContain('kept')
    expect(readFileSync(join(result.artifacts.shared, 'note.md'), 'utf8')).toBe('kept')
    expect(existsSync(join(workingFolder, 'note.md'))).toBe(false)
  })

  it('context: fork starts with the conversation of the agent before it', async () => {
    const b = modelThat((_, { messages }) => ({
      text: messages
        .filter(({ role }) => role !== 'system')
        .map(({ content }) => content)
        .join('|'),
    }))
    const { runner, workingFolder } = createGroupStage({ a: echo(), b })
    const chain = {
      steps: [
        { agent: 'a', task: 'first' },
        { agent: 'b', task: 'second', context: 'fork' as const },
      ],
    }
    const result = await runner.chain({ workingFolder, task: 'it', chain })
    expect(result.output).toBe('first|<first>|second')
    await expect(
      runner.chain({ workingFolder, task: 'it', chain: { steps: [{ agent: 'a', context: 'fork' }] } }),
    ).rejects.toThrow(/first step: there is no conversation/)
    const conversation = [
      { role: 'user', content: 'before' },
      { role: 'assistant', content: 'yes' },
    ]
    const forked = await runner.parallel({
      workingFolder,
      tasks: [{ agent: 'b', task: 'now' }],
      context: 'fork',
      conversation,
    })
    expect(forked.results[0]?.output).toBe('before|yes|now')
  })

  it('an agent’s files, tools and limits are those of its step', async () => {
    const b = modelThat((asked) => ({ text: asked }))
    const { runner, workingFolder, governor } = createGroupStage({ a: echo(), b }, { 'notes.md': 'remember' })
    const result = await runner.chain({
      workingFolder,
      id: 'c',
      task: 'it',
      chain: {
        steps: [
          { agent: 'b', task: 'read', reads: ['notes.md'], tools: ['read'], limits: { toolCalls: 3, cost: null } },
          { parallel: [{ agent: 'a', task: 'one', count: 2, output: 'out/x.md' }] },
        ],
      },
    })
    expect(result.status).toBe('completed')
    expect(result.results[0]?.output).toContain('remember')
    expect(b.book[0]?.request.tools?.map(({ name }) => name)).toEqual(['read', 'budget'])
    expect((await governor.find('c.1'))?.limits().find(({ meter }) => meter === 'toolCalls')?.max).toBe(3)
    expect(readFileSync(join(workingFolder, 'out/x-1.md'), 'utf8')).toBe('<one>\n')
    expect(readFileSync(join(workingFolder, 'out/x-2.md'), 'utf8')).toBe('<one>\n')
  })

  it('the beginning of an output of 10 MiB is passed on, with a file that has all of it', async () => {
    const huge = 'x'.repeat(10 * 1024 * 1024)
    let isFirst = true
    const a = modelThat((asked) => {
      const text = isFirst ? huge : asked.slice(-200)
      isFirst = false
      return { text, ignoreCap: true, usage: { inputTokens: 100, outputTokens: 10 } }
    })
    const { runner, workingFolder } = createGroupStage({ a })
    const result = await runner.chain({ workingFolder, task: 'it', chain: { steps: [{ agent: 'a' }, { agent: 'a' }] } })
    expect(result.status).toBe('completed')
    const file = /the whole text is in (.+)\]$/.exec(result.output!)?.[1]
    expect(readFileSync(file!, 'utf8')).toHaveLength(huge.length)
  })

  it('all names in it are checked before anything starts', async () => {
    const a = echo()
    const { runner, workingFolder, taskFolder } = createGroupStage({ a })
    const start = (steps: readonly object[]) =>
      runner.chain({ workingFolder, task: 'it', chain: { steps: [{ agent: 'a' }, ...steps] as never } })
    await expect(start([{ agent: 'nobody' }])).rejects.toMatchObject({ code: 'unknown_agent' })
    await expect(start([{ agent: 'a', model: 'nothing' }])).rejects.toThrow(/There is no model nothing/)
    await expect(start([{ agent: 'a', tools: ['telepathy'] }])).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(start([{ agent: 'a', output: '.stint/x' }])).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(start([{ agent: 'a', limits: { tokens: 'lots' } }])).rejects.toMatchObject({ code: 'invalid_chain' })
    await expect(start([{ agent: 'a', outputSchema: { type: 'nope' } }])).rejects.toThrow(/Unsupported type: nope/)
    await expect(start([{ parallel: [{ agent: 'a' }], worktree: 1 }])).rejects.toMatchObject({ code: 'invalid_chain' })
    expect(a.book).toHaveLength(0)
    expect(existsSync(taskFolder)).toBe(false)
    writeFileSync(join(workingFolder, 'x'), '')
  })
})
