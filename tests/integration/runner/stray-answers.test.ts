import { describe, expect, it, onTestFinished } from 'vitest'
import { createGovernor } from '../../../src/governor/index.ts'
import type { RunProgress } from '../../../src/runner/index.ts'
import { programServer } from '../../../src/runner/tools/mcp/mcp-server.fixture.ts'
import { createMemoryStore } from '../../../src/stores/memory/index.ts'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { createManualClock } from '../../../src/testing/index.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'
import { agentFrom, createStage } from './runner.fixture.ts'

const STRAY = 'The MCP server test sent an unexpected answer'
const use = (tool: string) => ({ toolCalls: [{ name: `mcp__test__${tool}`, arguments: {} }] })
const asker = agentFrom({ mcpServers: ['test'] })

describe('J12: an MCP server that sends unexpected answers', () => {
  it.each(['twice', 'stranger'])('%s: the run continues with a warning, and its answer arrives', async (tool) => {
    const { server } = programServer(createTemporaryFolder())
    const first = createScriptedLanguageModel([use(tool), use(tool), { text: 'All done.' }])
    const { runner, workingFolder } = createStage({ first }, {}, { mcpServers: { test: server } })
    const result = await runner.run({ agent: asker, task: 'go', workingFolder, timeoutMs: 600_000 })
    expect(result).toMatchObject({ status: 'completed', output: 'All done.' })
    expect(result.warnings.filter((warning) => warning.startsWith(STRAY))).toHaveLength(1)
  })

  it('late, after its call was stopped by a time limit: the closing answer arrives, with a warning', async () => {
    const { server, answerLate } = programServer(createTemporaryFolder())
    const told: RunProgress[] = []
    const scripted = createScriptedLanguageModel([use('late'), { text: 'This is how far I came.' }])
    const strays = () => told.filter((each) => each.kind === 'warning' && each.message.startsWith(STRAY))
    const first = {
      ...scripted,
      async doStream(options: Parameters<typeof scripted.doStream>[0]) {
        if (scripted.book.length > 0) {
          // The closing call is under way: only now the server answers, and only then the model does.
          answerLate()
          await expect.poll(strays, { timeout: 60_000 }).toHaveLength(1)
        }
        return scripted.doStream(options)
      },
    }
    const clock = createManualClock()
    const governor = createGovernor({ store: createMemoryStore(), clock })
    onTestFinished(() => governor.close())
    const { runner, workingFolder } = createStage({ first }, {}, { governor, mcpServers: { test: server } })
    const run = { agent: agentFrom({ mcpServers: ['test'] }, { limits: { time: '60s' } }), task: 'go', workingFolder }
    const result = await runner.run(run, {
      onProgress(progress) {
        told.push(progress)
        // The last tenth of the time is the closing call's.
        if (progress.kind === 'tool-call') void clock.advance(54_000)
      },
    })
    expect(result).toMatchObject({ status: 'limit-reached', partialOutput: 'This is how far I came.' })
    expect(result.warnings.filter((warning) => warning.startsWith(STRAY))).toHaveLength(1)
    expect(told).toContainEqual(expect.objectContaining({ kind: 'tool-result', end: 'stopped' }))
  })
})
