import { describe, expect, it } from 'vitest'
import { loopForEver } from '../src/testing/provider/index.ts'
import { describeProgram } from './describe-program.ts'
import { CLOSING } from './programs/agent-program.ts'
import { opencode } from './programs/opencode.ts'
import { stageProgram } from './run-program.ts'

describeProgram(opencode)

describe('opencode', () => {
  it('goes through Stint with a model of OpenAI, too', async () => {
    const script = loopForEver({ toolName: 'bash', arguments: { command: 'true', description: 'Nothing' } })
    const stage = await stageProgram(opencode, script)
    const command = ['opencode', 'run', '--model', 'openai/gpt-5', 'count for ever']
    const end = await stage.exec(['--limit', 'turns=2'], command)
    expect(end.stdout.trim()).toBe(CLOSING)
    expect(end).toMatchObject({
      exitCode: 124,
      report: { status: 'limit-reached', usage: { toolCalls: { settled: 2 } } },
    })
    expect(end.report.usage.cost!.settled).toBe(stage.provider.book().costNanoUsd)
    expect(stage.provider.requests.every(({ path }) => path === '/v1/responses')).toBe(true)
  })
})
