import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { agentFrom, createStage } from './runner.fixture.ts'

const answering = (text = 'The answer.') => createScriptedLanguageModel([{ text }])
const firstPrompt = (model: ReturnType<typeof answering>) => JSON.stringify(model.requests[0]?.prompt)

describe('the folder of a task', () => {
  it.each(['../out', 'a/b', 'a\\b', 'nul\0', '..', '.', '', 'x'.repeat(300), '-flag', ' a'])(
    'I7: refuses an id like %j',
    async (id) => {
      const first = answering()
      const { runner, workingFolder } = createStage({ first })
      const refusal = { code: 'invalid_option' }
      await expect(runner.run({ agent: agentFrom(), task: 'go', workingFolder, id })).rejects.toMatchObject(refusal)
      await expect(runner.resume(id)).rejects.toMatchObject(refusal)
      expect(() => runner.tasks.get(id)).toThrow()
      expect(() => runner.tasks.create({ id, subject: 'x' })).toThrow()
      expect(first.book).toHaveLength(0)
    },
  )

  it('I7: cannot be a link that leads elsewhere', async () => {
    const elsewhere = createTemporaryFolder()
    const { runner, workingFolder, taskFolder } = createStage({ first: answering() })
    runner.tasks.create({ id: 'other', subject: 'so that the folder is there' })
    symlinkSync(elsewhere, join(taskFolder, 'job-1'))
    const refused = runner.run({ agent: agentFrom(), task: 'go', workingFolder, id: 'job-1' })
    await expect(refused).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(runner.resume('job-1')).rejects.toMatchObject({ code: 'invalid_option' })
    expect(readdirSync(elsewhere)).toEqual([])
    expect(runner.tasks.list().map(({ id }) => id)).toEqual(['other'])
  })

  it('I7: is not written through if it becomes a link during the run', async () => {
    const elsewhere = createTemporaryFolder()
    const { runner, workingFolder, taskFolder } = createStage({ first: answering() })
    const folder = join(taskFolder, 'job-1')
    const replace = ({ kind }: { readonly kind: string }): void => {
      if (kind !== 'started') return
      renameSync(folder, `${folder}-moved`)
      symlinkSync(elsewhere, folder)
    }
    const request = { agent: agentFrom(), task: 'go', workingFolder, id: 'job-1' }
    const result = await runner.run(request, { onProgress: replace })
    expect(result).toMatchObject({ status: 'completed', output: 'The answer.' })
    expect(result.warnings.join()).toContain('not a link')
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('belongs to one run: a used id is refused, one with only a log is not', async () => {
    const { runner, workingFolder, taskFolder } = createStage({ first: answering() })
    runner.tasks.create({ id: 'job-1', subject: 'to be done' })
    writeFileSync(join(taskFolder, 'job-1/run.log'), 'begun')
    const request = { agent: agentFrom(), task: 'go', workingFolder, id: 'job-1' }
    expect((await runner.run(request)).status).toBe('completed')
    await expect(runner.run(request)).rejects.toMatchObject({ code: 'invalid_option' })
  })

  it('I3: may be unwritable: that is reported, and the limits still hold', async () => {
    const read = { toolCalls: [{ name: 'read', arguments: { path: 'a' } }] }
    const first = createScriptedLanguageModel([
      read,
      { toolCalls: [{ name: 'read', arguments: { path: 'b' } }] },
      { text: 'Cut.' },
    ])
    const blocked = join(createTemporaryFolder({ file: 'in the way' }), 'file/tasks')
    const { runner, workingFolder } = createStage({ first }, { a: 'x' }, { taskFolder: blocked })
    const agent = agentFrom({}, { limits: { toolCalls: 1 } })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result).toMatchObject({ status: 'limit-reached', partialOutput: 'Cut.', breach: { meter: 'toolCalls' } })
    expect(result.warnings.filter((each) => each.includes('could not') || each.includes('cannot be'))).toEqual([
      expect.stringContaining('The task cannot be saved (ENOTDIR'),
    ])
    expect(result.artifacts.output).toBeNull()
  })

  it('I3: reports an unwritable transcript once, and keeps the rest', async () => {
    const { runner, workingFolder, taskFolder } = createStage({ first: answering() })
    mkdirSync(join(taskFolder, 'job-1/transcript.jsonl'), { recursive: true })
    const result = await runner.run({ agent: agentFrom(), task: 'go', workingFolder, id: 'job-1' })
    expect(result).toMatchObject({ status: 'completed', output: 'The answer.' })
    expect(result.warnings.filter((each) => each.includes('transcript'))).toHaveLength(1)
    expect(JSON.parse(readFileSync(result.artifacts.meta, 'utf8')).warnings).toEqual(result.warnings)
  })

  it('is readable only by its owner', async () => {
    const { runner, workingFolder } = createStage({ first: answering() })
    const { artifacts } = await runner.run({ agent: agentFrom(), task: 'go', workingFolder })
    for (const file of [artifacts.folder, artifacts.transcript, artifacts.meta, artifacts.input]) {
      expect(statSync(file).mode & 0o077).toBe(0)
    }
  })
})

describe('an agent is shown', () => {
  it('its own prompt, the project’s files if it inherits them, and the files of the call', async () => {
    const first = answering()
    const files = { 'AGENTS.md': 'Be kind.', 'notes.md': 'Some notes.', 'plan.md': 'The plan.' }
    const { runner, workingFolder } = createStage({ first }, files)
    symlinkSync('AGENTS.md', join(workingFolder, 'CLAUDE.md'))
    const agent = agentFrom({ inheritProjectContext: true, defaultReads: ['notes.md', 'missing.md'] })
    const result = await runner.run({ agent, task: 'go', workingFolder, reads: ['plan.md', 'notes.md'] })
    const shown = firstPrompt(first)
    for (const text of ['You are slow.', 'Be kind.', 'Some notes.', 'The plan.']) expect(shown).toContain(text)
    expect(shown.split('Some notes.')).toHaveLength(2)
    expect(shown.split('Be kind.')).toHaveLength(2)
    expect(shown).toMatch(/you have 25 tool calls/)
    expect(result.warnings.join('\n')).toContain('missing.md is not shown to the agent')
  })

  it('that it should keep a record of its progress, if it can', async () => {
    const first = answering()
    const { runner, workingFolder } = createStage({ first })
    const promptOf = async (fields: Parameters<typeof agentFrom>[0]) => {
      await runner.run({ agent: agentFrom(fields), task: 'go', workingFolder })
      return JSON.stringify(first.requests.at(-1)!.prompt)
    }
    expect(await promptOf({ defaultProgress: true })).toContain('progress.md')
    expect(await promptOf({ defaultProgress: true, tools: ['read', 'grep'] })).not.toContain('progress.md')
    expect(await promptOf({ defaultProgress: false })).not.toContain('progress.md')
  })

  it('only its prompt, if that replaces ours', async () => {
    const first = answering()
    const { runner, workingFolder } = createStage({ first }, { 'AGENTS.md': 'Be kind.' })
    await runner.run({ agent: agentFrom({ systemPromptMode: 'replace' }), task: 'go', workingFolder })
    expect(firstPrompt(first)).not.toContain('Be kind.')
    expect(firstPrompt(first)).not.toContain('work in the folder')
  })

  it('I7: no file outside its folder, by any path', async () => {
    const outside = createTemporaryFolder({ secret: 'secret text' })
    const first = answering()
    const { runner, workingFolder } = createStage({ first })
    symlinkSync(join(outside, 'secret'), join(workingFolder, 'link.md'))
    symlinkSync(join(outside, 'secret'), join(workingFolder, 'AGENTS.md'))
    const request = { agent: agentFrom(), task: 'go', workingFolder }
    for (const path of ['../secret', join(outside, 'secret'), 'link.md', 'a\0b']) {
      await expect(runner.run({ ...request, reads: [path] })).rejects.toMatchObject({ code: 'invalid_option' })
    }
    expect(first.book).toHaveLength(0)
    const { warnings } = await runner.run({ ...request, agent: agentFrom({ inheritProjectContext: true }) })
    expect(warnings.join('\n')).toContain('"AGENTS.md" is outside the working folder')
    expect(firstPrompt(first)).not.toContain('secret text')
  })

  it('a bounded part of a file', async () => {
    const first = answering()
    const { runner, workingFolder } = createStage({ first }, { 'big.txt': `${'ä'.repeat(100_000)}END` })
    await runner.run({ agent: agentFrom(), task: 'go', workingFolder, reads: ['big.txt'] })
    const shown = firstPrompt(first)
    expect(shown).toContain('the rest of the file is not shown')
    expect(shown).not.toContain('END')
    expect(shown).not.toContain('�')
  })
})

describe('the file of an answer', () => {
  it('contains the answer; file-only returns its path', async () => {
    const { runner, workingFolder } = createStage({ first: answering() })
    const agent = agentFrom({ output: 'out/plan.md', outputMode: 'file-only' })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result.output).toBe(join(workingFolder, 'out/plan.md'))
    expect(readFileSync(result.output!, 'utf8')).toBe('The answer.\n')
  })

  it('is kept if the agent wrote it', async () => {
    const write = { name: 'write', arguments: { path: 'plan.md', content: 'Written by hand.' } }
    const first = createScriptedLanguageModel([{ toolCalls: [write] }, { text: 'It is in plan.md.' }])
    const { runner, workingFolder } = createStage({ first })
    const result = await runner.run({ agent: agentFrom(), task: 'go', workingFolder, output: 'plan.md' })
    expect(result.output).toBe('It is in plan.md.')
    expect(readFileSync(join(workingFolder, 'plan.md'), 'utf8')).toBe('Written by hand.')
  })

  it('I7: is never outside the folder, nor a protected file', async () => {
    const first = answering()
    const { runner, workingFolder } = createStage({ first }, { 'a.txt': 'a file' })
    for (const output of ['../out.md', '/etc/out.md', '.stint/agents/slow.md', '.', 'a.txt/out.md']) {
      const refused = runner.run({ agent: agentFrom(), task: 'go', workingFolder, output })
      await expect(refused).rejects.toMatchObject({ code: 'invalid_option' })
    }
    expect(first.book).toHaveLength(0)
    const off = await runner.run({
      agent: agentFrom({ output: '../out.md' }),
      task: 'go',
      workingFolder,
      output: false,
    })
    expect(off.status).toBe('completed')
  })

  it('may be unwritable: that is reported, and the answer is in the result', async () => {
    const inTheWay = { toolCalls: [{ name: 'bash', arguments: { command: 'mkdir plan.md' } }] }
    const first = createScriptedLanguageModel([inTheWay, { text: 'The answer.' }])
    const { runner, workingFolder } = createStage({ first })
    const agent = agentFrom({ output: 'plan.md', outputMode: 'file-only' })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result.output).toBe('The answer.')
    expect(result.warnings.join('\n')).toContain('The answer could not be written')
  })
})

describe('a writer that claims work that it has not done', () => {
  const task = 'Add a --json flag.'
  const claim = { text: 'Done: I added the flag.' }

  it('is reminded once, and then does it', async () => {
    const write = { toolCalls: [{ name: 'write', arguments: { path: 'a', content: 'b' } }] }
    const first = createScriptedLanguageModel([claim, write, { text: 'Now it is added.' }])
    const { runner, workingFolder } = createStage({ first })
    const result = await runner.run({ agent: agentFrom(), task, workingFolder })
    expect([result.output, first.book.length]).toEqual(['Now it is added.', 3])
    expect(JSON.stringify(first.requests[1]!.prompt)).toContain('called no tool that changes anything')
  })

  it('is reminded only once', async () => {
    const first = createScriptedLanguageModel([claim, claim])
    const { runner, workingFolder } = createStage({ first })
    const result = await runner.run({ agent: agentFrom(), task, workingFolder })
    expect([result.status, first.book.length]).toEqual(['completed', 2])
  })

  it.each([
    [{ completionGuard: false }, task],
    [{ tools: ['read', 'grep'] }, task],
    [{}, 'Review the change that I added.'],
    [{}, 'What does this do?'],
  ])('is not reminded if %o is to do: %s', async (fields, asked) => {
    const first = createScriptedLanguageModel([claim])
    const { runner, workingFolder } = createStage({ first })
    expect(await runner.run({ agent: agentFrom(fields), task: asked, workingFolder })).toMatchObject({
      output: claim.text,
    })
  })
})
