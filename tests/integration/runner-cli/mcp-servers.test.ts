import { describe, expect, it } from 'vitest'
import { programServer } from '../../../src/runner/tools/mcp/mcp-server.fixture.ts'
import { writeFileInFolder } from '../../house/temporary-folder.ts'
import { createRunnerMachine } from './machine.ts'

const AGENT = '---\nname: asker\ndescription: asks a server\nmcpServers: test\n---\nAsk the server.\n'
const ECHO = { name: 'mcp__test__echo', arguments: { text: 'hello' } }

describe('an agent with an MCP server', () => {
  it('has it again after a resume, and is warned if it is no longer configured', async () => {
    const machine = createRunnerMachine()
    writeFileInFolder(machine.folder, '.stint/agents/asker.md', AGENT)
    // Of each two calls one is made, and one is refused and pauses it.
    const calls = [1, 2, 3, 4].map(() => ({ toolCalls: [ECHO] }))
    machine.script('work', [...calls, { text: 'Done.' }])
    const { server } = programServer(machine.folder)
    const configure = (config: object): void =>
      writeFileInFolder(machine.folder, '.config/stint/config.json', JSON.stringify(config))
    configure({ mcpServers: { test: server } })
    const flags = ['--model', 'scripted/work.json', '--limit', 'turns=1:pause', '--id', 'task-1']
    expect((await machine.json('run', 'asker', 'go', ...flags)).document).toMatchObject({ status: 'paused' })
    const again = await machine.json('resume', 'task-1', '--add', 'turns=1')
    expect(again.document).toMatchObject({ status: 'paused', usage: { toolCalls: { settled: 2 } } })
    expect(again.document.warnings.join()).not.toContain('no longer')
    configure({})
    const { document } = await machine.json('resume', 'task-1', '--add', 'turns=5')
    expect(document).toMatchObject({ status: 'completed', output: 'Done.' })
    expect(document.warnings).toContain('The MCP server test is no longer in the config. It runs without it.')
  })

  it('C7: a deadline does not wait for a server that never starts', async () => {
    const machine = createRunnerMachine()
    writeFileInFolder(machine.folder, '.stint/agents/asker.md', AGENT)
    machine.script('work', [{ text: 'Done.' }])
    const config = { mcpServers: { test: { command: 'sleep', args: ['600'] } } }
    writeFileInFolder(machine.folder, '.config/stint/config.json', JSON.stringify(config))
    const flags = ['--model', 'scripted/work.json', '--timeout', '150ms']
    const { exitCode, document } = await machine.json('run', 'asker', 'go', ...flags)
    expect(exitCode).toBe(124)
    expect(document).toMatchObject({ status: 'timed-out', timedOut: true, error: 'Timed out after 150ms.' })
    expect(document.usage.modelCalls.settled).toBe(0)
    expect(document.warnings.join()).toContain('The MCP server test cannot be used')
  })
})
