import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createScriptedProvider,
  loopForEver,
  type ProviderScript,
  sayOnce,
} from '../../../src/testing/provider/index.ts'
import { ANY_AGENT, createMachine } from './start-exec.ts'

const KEY = 'sk-canary-0123456789'
const SILENT: readonly string[] = [process.execPath, '-e', '']

async function openMachine(
  script: ProviderScript = sayOnce('All is well.'),
  own: Readonly<Record<string, string>> = {},
) {
  const provider = await createScriptedProvider({ script })
  onTestFinished(() => provider.close())
  const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: KEY, ...own })
  return { ...machine, provider }
}

function writeUserConfig(folder: string, text: string): string {
  const file = join(folder, '.config/stint/config.yaml')
  mkdirSync(join(folder, '.config/stint'), { recursive: true })
  writeFileSync(file, text)
  return file
}

const UNHEARD = 'no model call of the command went through Stint'

describe('The calls that stint exec reports', () => {
  it('include a call that Stint refused, as refused by Stint', async () => {
    const { exec, provider } = await openMachine()
    const end = await exec(['--limit', 'cost=0.000001'], ANY_AGENT)
    expect(end.stderr).toContain('calls: 0 answered, 1 refused by Stint\n')
    expect(end.stderr).not.toContain(UNHEARD)
    expect(end.report).toMatchObject({ governed: true, calls: 0, refusedByStint: 1, refusedByProvider: 0 })
    expect(provider.requestCount).toBe(0)
  })

  it('separate what the provider refused from what was answered', async () => {
    const { exec } = await openMachine([
      { toolCalls: [{ name: 'look', arguments: {} }] },
      { fault: { kind: 'status', status: 400, message: 'no' } },
    ])
    const end = await exec(['--limit', 'cost=1'], ANY_AGENT)
    expect(end.stderr).toContain('calls: 1 answered, 1 refused by the provider\n')
    expect(end.report).toMatchObject({ governed: true, calls: 1, refusedByStint: 0, refusedByProvider: 1 })
  })

  it('list a call to an unreachable provider as unanswered', async () => {
    const { exec } = await openMachine(sayOnce('never'), { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })
    const end = await exec(['--limit', 'cost=1'], ANY_AGENT)
    expect(end.stderr).toContain('calls: 0 answered, 1 unanswered\n')
    expect(end.report).toMatchObject({ governed: true, unanswered: 1 })
  })

  it('list a request for an unserved address as refused by Stint', async () => {
    const { exec } = await openMachine()
    const embed = 'await fetch(process.env.OPENAI_BASE_URL + "/embeddings", { method: "POST", body: "{}" })'
    const end = await exec(['--limit', 'cost=1'], [process.execPath, '--input-type=module', '-e', embed])
    expect(end.report).toMatchObject({ governed: true, calls: 0, refusedByStint: 1 })
  })

  it('warn if a command under limits made none, and name the key that was withheld', async () => {
    const { exec } = await openMachine()
    const end = await exec(['--limit', 'cost=1'], SILENT)
    expect(end.stderr).toContain(`calls: 0 — ${UNHEARD}`)
    expect(end.stderr).toContain('The key OPENAI_API_KEY was withheld from it.')
    expect(end).toMatchObject({ exitCode: 0, report: { governed: false, calls: 0 } })
  })

  it('warn, too, if the only limit is that of the budget that pays', async () => {
    const { exec, start } = await openMachine()
    await start(['budget', 'set', 'team:core', '--limit', 'cost=5']).ended
    const end = await exec(['--within', 'team:core'], SILENT)
    expect(end.report).toMatchObject({ governed: false })
  })

  it('do not warn without a limit that a call could have kept', async () => {
    const { exec } = await openMachine()
    const end = await exec([], SILENT)
    expect(end.stderr).toContain('calls: 0\n')
    expect(end.stderr).not.toContain(UNHEARD)
    expect(end).toMatchObject({ exitCode: 0, report: { governed: true } })
  })

  it('do not warn if a time limit ended the command before its first call', async () => {
    const { exec } = await openMachine()
    const end = await exec(['--timeout', '1s'], [process.execPath, '-e', 'setInterval(() => {}, 1000)'])
    expect(end).toMatchObject({ exitCode: 124, report: { status: 'timed-out' } })
    expect(end.stderr).toContain('so only its time limits had an effect')
    expect(end.stderr).not.toContain('no limit could hold it')
  })

  it('make --require-calls exit with 125 if there were none, and else with the code of the command', async () => {
    const { exec } = await openMachine()
    const flags = ['--limit', 'cost=1', '--require-calls']
    expect(await exec(flags, SILENT)).toMatchObject({ exitCode: 125, report: { exitCode: 125, governed: false } })
    expect(await exec(flags, [process.execPath, '-e', 'process.exit(3)'])).toMatchObject({ exitCode: 125 })
    expect(await exec(flags, ANY_AGENT)).toMatchObject({ exitCode: 0, report: { governed: true } })
  })

  it('do not affect --require-calls if a limit or a missing program ended the run', async () => {
    const { exec } = await openMachine(loopForEver())
    const flags = ['--require-calls', '--limit', 'turns=1', '--no-wrap-up']
    expect(await exec(flags, ANY_AGENT)).toMatchObject({ exitCode: 124 })
    expect(await exec(flags, ['no-such-program-anywhere'])).toMatchObject({ exitCode: 127, report: { governed: true } })
  })
})

describe('A missing provider key that the config names', () => {
  const CONFIG = 'upstreams:\n  anthropic: { apiKeyEnv: MISSING_KEY }\n  openai: { apiKeyEnv: ABSENT_KEY }\n'

  it('does not matter to a command whose environment says where its calls go', async () => {
    const { exec, folder } = await openMachine()
    writeUserConfig(folder, CONFIG)
    const end = await exec(['--limit', 'cost=1'], ANY_AGENT)
    expect(end).toMatchObject({ exitCode: 0, stdout: 'All is well.\n', report: { calls: 1 } })
  })

  it('refuses the request that needs it, with the place and the fix, and not as a refusal of the provider', async () => {
    const machine = createMachine()
    const file = writeUserConfig(machine.folder, CONFIG)
    const end = await machine.exec(['--limit', 'cost=1'], ANY_AGENT)
    expect(end.stderr).toContain(
      `refused with 403: upstreams.openai in ${file}:3: The environment variable ABSENT_KEY is not set. ` +
        "Put the provider's key there.",
    )
    expect(end.stderr).not.toContain('MISSING_KEY')
    expect(end).toMatchObject({
      exitCode: 3,
      report: { refusedByStint: 1, refusedByProvider: 0, usage: { modelCalls: { refused: 0 } } },
    })
  })
})
