import { describe, expect, it } from 'vitest'
import { createRunnerMachine } from './machine.ts'

const READ = { name: 'read', arguments: { path: 'notes.txt' } }
const LOOP = { turns: [{ toolCalls: [READ] }], repeat: true, closing: 'What I have so far.' }

describe('stint run', () => {
  it('prints the answer on stdout and a line for each tool call on stderr, and exits with 0', async () => {
    const machine = createRunnerMachine()
    machine.script('play', [{ text: 'I look.', toolCalls: [READ] }, { text: 'All is well.' }])
    const { exitCode, stdout, stderr } = await machine.run('run', 'plain', 'look', '--model', 'scripted/play.json')
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'All is well.\n' })
    expect(stderr).toMatch(/^stint: plain runs with scripted\/play\.json · \S+\n {2}I look\.\n {2}read .*notes\.txt/)
    expect(stderr).toMatch(/stint: plain completed · toolCalls 1 of 25, modelCalls 2/)
    // No terminal: nothing is drawn over itself.
    expect(stderr).not.toContain('\u001b')
  })

  it('H4: with --json prints only one document on stdout, the same as on disk', async () => {
    const machine = createRunnerMachine()
    machine.script('loop', LOOP)
    const flags = ['--model', 'scripted/loop.json', '--limit', 'turns=2']
    const { exitCode, document, stderr } = await machine.json('run', 'plain', 'look', ...flags)
    expect(exitCode).toBe(124)
    expect(document).toMatchObject({
      agent: 'plain',
      status: 'limit-reached',
      exitCode: 124,
      output: null,
      partialOutput: 'What I have so far.',
      breach: { meter: 'toolCalls', limit: 2, settled: 2, asked: 1 },
      timedOut: false,
      children: [],
      attempts: [{ model: 'scripted/loop.json', status: 'answered' }],
      usage: { toolCalls: { settled: 2, limit: 2 }, modelCalls: { settled: 4 } },
    })
    expect(document.durationMs).toBeGreaterThan(0)
    expect(stderr).toContain('stint: plain limit-reached')
    const { usage, attempts, breach, durationMs, status, partialOutput } = document
    expect(machine.meta(document.id)).toMatchObject({ usage, attempts, breach, durationMs, status, partialOutput })
  })

  it("hides the ledger from its tools, even if it is in the agent's folder", async () => {
    const machine = createRunnerMachine()
    const look = (path: string) => ({ toolCalls: [{ name: 'read', arguments: { path } }] })
    machine.script('spy', [
      look('ledger.db'),
      look('ledger.db-wal'),
      look('ledger.db.high-water'),
      { text: 'Nothing.' },
    ])
    const flags = ['--model', 'scripted/spy.json', '--store', 'sqlite:ledger.db']
    const { exitCode, stderr } = await machine.run('run', 'plain', 'look', ...flags)
    expect(exitCode).toBe(0)
    expect(stderr.split('read failed')).toHaveLength(4)
  })

  it('at a limit prints which one, how to raise it, what there is and where', async () => {
    const machine = createRunnerMachine()
    machine.script('loop', LOOP)
    const flags = ['--model', 'scripted/loop.json', '--limit', 'turns=2']
    const { exitCode, stdout, stderr } = await machine.run('run', 'plain', 'look', ...flags)
    expect({ exitCode, stdout }).toEqual({ exitCode: 124, stdout: 'What I have so far.\n' })
    expect(stderr).toContain('Set by the flag --limit turns=2')
    expect(stderr).toContain('To allow more, pass a larger value: --limit turns=…')
    expect(stderr).toContain(`Artifacts: ${machine.tasksFolder}`)
    // Told once, and not once more as an error.
    expect(stderr.split('1 more requested')).toHaveLength(2)
  })

  it('C1: --timeout 150ms ends a run of ten minutes with 124 and says so, without a fallback', async () => {
    const machine = createRunnerMachine()
    machine.script('slow', [{ delayMs: 600_000, text: 'late' }])
    machine.script('other', [{ text: 'from another' }])
    machine.write(
      '.stint/agents/slow.md',
      '---\nname: slow\ndescription: takes long\nmodel: scripted/slow.json\nfallbackModels: scripted/other.json\n---\nWork.\n',
    )
    const { exitCode, document, stderr } = await machine.json('run', 'slow', 'work', '--timeout', '150ms', '--trust')
    expect(exitCode).toBe(124)
    expect(document).toMatchObject({ status: 'timed-out', timedOut: true, error: 'Timed out after 150ms.' })
    expect(document.attempts.map(({ model }) => model)).not.toContain('scripted/other.json')
    expect(stderr).toContain('Timed out after 150ms.')
    expect(stderr).toContain('Set by the flag --timeout=150ms. To allow more, pass a larger value: --timeout=…')
  })

  it('pauses at a limit with 75, and continues with a higher one, counters intact', async () => {
    const machine = createRunnerMachine()
    const calls = [1, 2, 3].map(() => ({ toolCalls: [READ] }))
    machine.script('work', [...calls, { text: 'Both are read.' }])
    const flags = ['--model', 'scripted/work.json', '--limit', 'turns=1:pause']
    const paused = await machine.json('run', 'plain', 'look', ...flags)
    expect(paused.exitCode).toBe(75)
    expect(paused.document).toMatchObject({ status: 'paused', resumeUrl: expect.stringContaining('/resume') })
    const { id } = paused.document
    expect(paused.stderr).toContain(`To continue: stint resume ${id} --add turns=…`)
    const done = await machine.json('resume', id, '--add', 'turns=1')
    expect(done).toMatchObject({
      exitCode: 0,
      document: { id, status: 'completed', output: 'Both are read.', usage: { toolCalls: { settled: 2, limit: 2 } } },
    })
  })

  it('pauses again if the raise was too small, and names the flag that raises more', async () => {
    const machine = createRunnerMachine()
    const turns = ['a', 'b', 'c'].map((path) => ({ toolCalls: [{ name: 'read', arguments: { path } }] }))
    machine.script('work', { turns, repeat: true })
    const flags = ['--model', 'scripted/work.json', '--limit', 'turns=1:pause', '--id', 'task-1']
    await machine.json('run', 'plain', 'look', ...flags)
    const again = await machine.json('resume', 'task-1', '--add', 'turns=1')
    expect(again).toMatchObject({ exitCode: 75, document: { status: 'paused' } })
    expect(again.stderr).toContain('Set by the flag --add turns=1. To allow more, pass a larger value: --add turns=…')
  })

  it('exits with 1 if the agent failed, and says why', async () => {
    const machine = createRunnerMachine()
    machine.script('broken', { turns: [{ error: { status: 400, message: 'no such thing' } }], repeat: true })
    const { exitCode, document, stderr } = await machine.json('run', 'plain', 'go', '--model', 'scripted/broken.json')
    expect(exitCode).toBe(1)
    expect(document).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no such thing'),
      attempts: [{ model: 'scripted/broken.json', status: 'failed' }],
    })
    expect(stderr).toContain('no such thing')
  })
})
