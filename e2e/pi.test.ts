import { describe, expect, it } from 'vitest'
import { loopForEver } from '../src/testing/provider/index.ts'
import { describeProgram } from './describe-program.ts'
import { CLOSING } from './programs/agent-program.ts'
import { pi } from './programs/pi.ts'
import { stageProgram } from './run-program.ts'

describeProgram(pi)

describe('pi', () => {
  it.each([
    ['anthropic', 'claude-sonnet-4-5', '/v1/messages'],
    ['openai', 'gpt-5', '/v1/responses'],
  ])('goes through Stint with its own provider %s, too, with the key of the environment', async (name, model, path) => {
    const stage = await stageProgram(pi, loopForEver({ toolName: 'bash', arguments: { command: 'true' } }))
    const command = ['pi', '-p', '--offline', '--provider', name, '--model', model, 'count for ever']
    const end = await stage.exec(['--limit', 'turns=2'], command)
    expect(end.stdout.trim()).toBe(CLOSING)
    expect(end).toMatchObject({ exitCode: 124, report: { calls: 3, usage: { toolCalls: { settled: 2 } } } })
    expect(end.report.usage.cost!.settled).toBe(stage.provider.book().costNanoUsd)
    expect(stage.provider.requests.every((request) => request.path.startsWith(path))).toBe(true)
  })
})
