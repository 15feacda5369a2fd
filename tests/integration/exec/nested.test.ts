import { describe, expect, it, onTestFinished } from 'vitest'
import { createScriptedProvider, loopForEver } from '../../../src/testing/provider/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { ANY_AGENT, createMachine } from './start-exec.ts'

const STINT = [process.execPath, BUILT_PROGRAM]

describe('stint exec inside stint exec', () => {
  it('B16: opens a child scope in the same ledger, on the existing gateway, and each call counts once', async () => {
    const provider = await createScriptedProvider({ script: loopForEver() })
    onTestFinished(() => provider.close())
    const machine = createMachine({ OPENAI_BASE_URL: provider.openaiUrl, OPENAI_API_KEY: 'sk-canary' })
    const inner = [...STINT, 'exec', '--name', 'inner', '--limit', 'turns=2', '--', ...ANY_AGENT]
    const end = await machine.exec(['--name', 'outer', '--limit', 'turns=9'], inner)
    expect(end.stdout).toBe('This is how far I came.\n')
    expect(end.stderr).toContain('outer/inner limit-reached')
    // The limit of the inner run is none of the outer's: it only sees that its command ended with 124.
    expect(end).toMatchObject({ exitCode: 124, report: { status: 'failed', breach: null, calls: 3 } })
    expect(end.report.usage).toMatchObject({ toolCalls: { settled: 2 }, modelCalls: { settled: 3 } })
    expect(end.report.usage.cost!.settled).toBe(Number(provider.book().costNanoUsd))
    expect(provider.requestCount).toBe(3)
    const { scopes } = JSON.parse((await machine.start(['status', '--all', '--json']).ended).stdout)
    expect(scopes).toMatchObject([
      { path: 'outer', status: 'failed' },
      { path: 'outer/inner', status: 'limit-reached' },
    ])
  })

  it.each(['nonsense', 'stint1.e30.x'])('a broken token has no authority: %s', async (token) => {
    const machine = createMachine({ STINT_SCOPE: token })
    const end = await machine.exec([], [process.execPath, '-e', 'console.log("ran")'])
    expect(end).toMatchObject({ exitCode: 2, stdout: '', report: null })
    expect(end.stderr).toContain('STINT_SCOPE cannot be used')
  })
})
