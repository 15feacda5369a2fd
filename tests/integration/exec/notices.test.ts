import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createScriptedProvider, loopForEver, toolThenText } from '../../../src/testing/provider/index.ts'
import { ANY_AGENT, createMachine, type StartedExec } from './start-exec.ts'

async function openMachine(script = loopForEver()) {
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  return createMachine({ OPENAI_BASE_URL: provider.openaiUrl })
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Resolves with the first output of this form. */
async function heard({ said }: StartedExec, form: RegExp): Promise<readonly string[]> {
  await expect.poll(() => said(), { timeout: 30_000 }).toMatch(form)
  return form.exec(said())!
}

describe('While a command runs, stint exec prints', () => {
  it('a line when a warning limit is exceeded, and an entry in the report', async () => {
    const { exec } = await openMachine(toolThenText(3))
    const end = await exec(['--limit', 'turns=2:warn', '--name', 'triage'], ANY_AGENT)
    expect(end.exitCode).toBe(0)
    expect(end.stderr).toContain(
      'stint: "triage" has passed a limit that only warns, and continues: turns 3 of 2 used (set by the flag --limit turns=2:warn).\n',
    )
    expect(end.report).toMatchObject({
      notices: [
        {
          atMs: expect.any(Number),
          event: 'agent_warning',
          meter: 'toolCalls',
          limit: 2,
          used: 3,
          message: expect.stringContaining('passed a limit'),
        },
      ],
    })
  })

  it('the limits that a ceiling has cut, before any output of the command', async () => {
    const machine = await openMachine(toolThenText(1))
    write(join(machine.folder, '.config/stint/config.yaml'), 'ceilings: { cost: 5 }\n')
    const command = [process.execPath, '-e', 'console.error("started")']
    const { stderr } = await machine.exec(['--limit', 'cost=50', '--limit', 'turns=2'], command)
    expect(stderr).toMatch(
      /^stint: the flag --limit cost=50 asks for \$50\.00; the ceiling allows \$5\.00 \(ceilings\.cost in \S+:1\)\.\nstarted\n/,
    )
    expect(stderr.split('the ceiling allows')).toHaveLength(2)
  })

  it('a line when the run pauses, and one when it resumes', async () => {
    const machine = await openMachine(toolThenText(3))
    const started = machine.start(['exec', '--limit', 'turns=2:pause', '--name', 'triage', '--', ...ANY_AGENT])
    const form = /stint: "triage" is paused: .*--limit turns=2.* To continue: stint (resume \S+ --add turns=)…/
    const [, resume] = await heard(started, form)
    expect(await machine.start(`${resume}5`.split(' ')).ended).toMatchObject({ exitCode: 0 })
    await heard(started, /stint: "triage" continues/)
    expect(await started.ended).toMatchObject({ exitCode: 0 })
  })

  it('the command to answer with when the run asks for more', async () => {
    const machine = await openMachine(toolThenText(3))
    const started = machine.start(['exec', '--limit', 'turns=2:ask', '--name', 'triage', '--', ...ANY_AGENT])
    const [, id] = await heard(started, /"triage" asks for more: turns 2 of 2 used.* stint approve (\S+) \(or/)
    const approved = await machine.start(['approve', id!, '--amount', '5', '--by', 'ann']).ended
    expect(approved).toMatchObject({ exitCode: 0 })
    const end = await started.ended
    expect(end.stderr).toContain('stint: "triage" was given 5 more of its turns limit (ann).\n')
    expect(end.exitCode).toBe(0)
  })
})

describe('onAsk', () => {
  const ASKING = ['exec', '--limit', 'turns=2:ask', '--name', 'triage', '--', ...ANY_AGENT]
  const KEY = 'sk-canary-0123456789'

  it('is run with the request on its standard input, and without provider keys', async () => {
    const machine = await openMachine(toolThenText(3))
    const told = join(machine.folder, 'told')
    const script = `cat > ${told}.json; env > ${told}.env; mv ${told}.env ${told}`
    write(join(machine.folder, '.config/stint/config.yaml'), `onAsk: ${JSON.stringify(['sh', '-c', script])}\n`)
    const started = machine.start(ASKING, { OPENAI_API_KEY: KEY, MARK: 'kept' })
    await expect.poll(() => existsSync(told), { timeout: 30_000 }).toBe(true)
    const request = JSON.parse(readFileSync(`${told}.json`, 'utf8'))
    expect(request).toMatchObject({
      event: 'increase_requested',
      scope_path: 'triage',
      limit_kind: 'toolCalls',
      limit_name: 'turns',
      limit: 2,
      approve: `stint approve ${request.request}`,
      deny: `stint deny ${request.request}`,
    })
    expect(readFileSync(told, 'utf8')).toContain('MARK=kept')
    expect(readFileSync(told, 'utf8')).not.toContain(KEY)
    await machine.start(['approve', request.request, '--amount', '5']).ended
    expect(await started.ended).toMatchObject({ exitCode: 0 })
  })

  it('that fails prints a line on stderr, and the run still waits for its answer', async () => {
    const machine = await openMachine(toolThenText(3))
    write(join(machine.folder, '.config/stint/config.yaml'), 'onAsk: exit 7\n')
    const started = machine.start(ASKING)
    await heard(started, /stint: onAsk failed: it ended with 7\n/)
    const [, id] = await heard(started, /stint approve (\S+) \(or/)
    await machine.start(['approve', id!, '--amount', '5']).ended
    expect(await started.ended).toMatchObject({ exitCode: 0 })
  })

  it('of a project is not run until its folder is trusted', async () => {
    const machine = await openMachine(toolThenText(3))
    const told = join(machine.folder, 'told')
    write(join(machine.folder, 'project/stint.config.yaml'), `onAsk: touch ${told}\n`)
    const started = machine.start(ASKING)
    await heard(started, /this is ignored: onAsk in \S+stint\.config\.yaml:1/)
    const [, id] = await heard(started, /stint approve (\S+) \(or/)
    await machine.start(['deny', id!]).ended
    await started.ended
    expect(existsSync(told)).toBe(false)
  })
})
