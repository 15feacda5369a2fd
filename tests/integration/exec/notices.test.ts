import { describe, expect, it, onTestFinished } from 'vitest'
import { createScriptedProvider, loopForEver, toolThenText } from '../../../src/testing/provider/index.ts'
import { ANY_AGENT, createMachine, type StartedExec } from './start-exec.ts'

async function openMachine(script = loopForEver()) {
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  return createMachine({ OPENAI_BASE_URL: provider.openaiUrl })
}

/** What it says once it says something of this form. */
async function heard({ said }: StartedExec, form: RegExp): Promise<readonly string[]> {
  await expect.poll(() => said(), { timeout: 30_000 }).toMatch(form)
  return form.exec(said())!
}

describe('What stint exec says while a command runs', () => {
  it('has a line when a limit that only warns is passed, and an entry in the report', async () => {
    const { exec } = await openMachine(toolThenText(3))
    const end = await exec(['--limit', 'turns=2:warn', '--name', 'triage'], ANY_AGENT)
    expect(end.exitCode).toBe(0)
    expect(end.stderr).toContain(
      'stint: "triage" has passed a limit that only warns, and goes on: toolCalls 3 of 2 used (set by the flag --limit turns=2:warn).\n',
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

  it('has a line when the run pauses, and one when it goes on', async () => {
    const machine = await openMachine(toolThenText(3))
    const started = machine.start(['exec', '--limit', 'turns=2:pause', '--name', 'triage', '--', ...ANY_AGENT])
    await heard(started, /stint: "triage" is paused: .*--limit turns=2/)
    expect(await machine.start(['raise', 'triage', '--limit', 'turns=5']).ended).toMatchObject({ exitCode: 0 })
    await heard(started, /stint: "triage" goes on/)
    expect(await started.ended).toMatchObject({ exitCode: 0 })
  })

  it('has the command that answers it when the run asks for more', async () => {
    const machine = await openMachine(toolThenText(3))
    const started = machine.start(['exec', '--limit', 'turns=2:ask', '--name', 'triage', '--', ...ANY_AGENT])
    const [, id] = await heard(started, /"triage" asks for more: toolCalls 2 of 2 used.* stint approve (\S+) \(or/)
    const approved = await machine.start(['approve', id!, '--amount', '5', '--by', 'ann']).ended
    expect(approved).toMatchObject({ exitCode: 0 })
    const end = await started.ended
    expect(end.stderr).toContain('stint: "triage" was given 5 more of its toolCalls limit (ann).\n')
    expect(end.exitCode).toBe(0)
  })
})
