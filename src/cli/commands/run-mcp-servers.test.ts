import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { startGateway } from '../../gateway/index.ts'
import type { RunResult } from '../../runner/index.ts'
import { addressServer, programServer } from '../../runner/tools/mcp/mcp-server.fixture.ts'
import { createCli, NOW_MS, type TestCli } from '../cli.fixture.ts'

const AGENT = '---\nname: asker\ndescription: asks a server\ntools: read\nmcpServers: test\n---\nAsk the server.\n'
const CANARY = 'canary-0123456789'
const PLAY = ['--model', 'scripted/play.json']

function createAskerCli(env: Readonly<Record<string, string>> = {}): TestCli {
  const own = { PATH: process.env.PATH ?? '', OPENAI_API_KEY: 'sk-0123456789abcdef', ...env }
  const cli = createCli({ env: own, startGateway })
  cli.write('home/.stint/agents/asker.md', AGENT)
  const toolCalls = [
    { name: 'mcp__test__echo', arguments: { text: 'hello' } },
    { name: 'mcp__test__environment', arguments: {} },
  ]
  cli.write('project/deep/play.json', JSON.stringify([{ toolCalls }, { text: 'Done.' }]))
  return cli
}

async function transcriptOf(cli: TestCli, ...flags: readonly string[]): Promise<string> {
  const result = (await cli.json('run', 'asker', 'go', ...PLAY, ...flags)) as unknown as RunResult
  expect(result).toMatchObject({ status: 'completed', output: 'Done.', exitCode: 0 })
  return readFileSync(result.artifacts.transcript, 'utf8')
}

describe('stint run with an MCP server of the config', () => {
  it("starts a program of the user's config: its tools are called, with its variables and without keys", async () => {
    const cli = createAskerCli({ HOME_OF_ANN: 'at-ann' })
    const { server } = programServer(cli.folder)
    const test = { ...server, env: { FROM_CONFIG: 'plain', FROM_VARIABLE: { env: 'HOME_OF_ANN' } } }
    cli.write('home/.config/stint/config.json', JSON.stringify({ mcpServers: { test } }))
    const transcript = await transcriptOf(cli)
    expect(transcript).toContain('echo: hello')
    expect(transcript).toMatch(/FROM_CONFIG\W+plain\W/)
    expect(transcript).toMatch(/FROM_VARIABLE\W+at-ann\W/)
    expect(transcript).not.toContain('sk-0123456789abcdef')
  })

  it('reaches an address with its headers, which are not logged', async () => {
    const cli = createAskerCli({ DOCS_TOKEN: CANARY })
    const { url, seen } = await addressServer()
    const test = { url, headers: { authorization: { env: 'DOCS_TOKEN', prefix: 'Bearer ' } } }
    cli.write('home/.config/stint/config.json', JSON.stringify({ mcpServers: { test } }))
    const transcript = await transcriptOf(cli)
    expect(transcript).toContain('echo: hello')
    expect(transcript).not.toContain(CANARY)
    expect(seen.length > 0 && seen.every(({ headers }) => headers.authorization === `Bearer ${CANARY}`)).toBe(true)
  })

  it('starts no server of a config that was merely found, and names the file; with --config it is used', async () => {
    const cli = createAskerCli()
    const { server, pidFile } = programServer(cli.folder)
    const file = cli.write(
      'project/stint.config.yaml',
      `limits: { turns: 5 }\nmcpServers:\n  test: ${JSON.stringify(server)}\n`,
    )
    const { exitCode, stdout, stderr } = await cli.run('run', 'asker', 'go', ...PLAY)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(`mcpServers.test in ${file}:3`)
    expect(stderr).toContain('--config FILE')
    expect(() => readFileSync(pidFile)).toThrow('ENOENT')
    expect(await cli.store.list({ standing: 'all', atMs: NOW_MS })).toEqual([])
    expect(await transcriptOf(cli, '--config', file)).toContain('echo: hello')
  })

  it('starts none for an agent that names none', async () => {
    const cli = createAskerCli()
    const { server, pidFile } = programServer(cli.folder)
    cli.write('home/.config/stint/config.json', JSON.stringify({ mcpServers: { test: server } }))
    cli.write('home/.stint/agents/plain.md', '---\nname: plain\ndescription: plain\n---\nDo.\n')
    cli.write('project/deep/plain.json', JSON.stringify([{ text: 'Done.' }]))
    expect(await cli.json('run', 'plain', 'go', '--model', 'scripted/plain.json')).toMatchObject({ exitCode: 0 })
    expect(() => readFileSync(pidFile)).toThrow('ENOENT')
  })

  it.each([
    [{}, 'set the environment variable DOCS_TOKEN'],
    [{ DOCS_TOKEN: `${CANARY}\nX-Other: 1` }, 'the value of DOCS_TOKEN is not valid in a header'],
  ])('refuses an agent whose server lacks its variable, %#, and never shows other values', async (env, reason) => {
    const cli = createAskerCli(env)
    const test = { url: 'http://127.0.0.1:9/mcp', headers: { authorization: { env: 'DOCS_TOKEN' } } }
    const file = cli.write('home/.config/stint/config.json', JSON.stringify({ mcpServers: { test } }))
    const { exitCode, stderr } = await cli.run('run', 'asker', 'go', ...PLAY)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`mcpServers of asker is "test", but must be a server that can be used: ${reason}`)
    expect(stderr).toContain(`mcpServers.test in ${file}`)
    expect(stderr).not.toContain(CANARY)
  })

  it.each(['mcp:test', 'mcp:test/echo', 'mcp__test__echo'])('warns when only --tools %s asks for it', async (tool) => {
    const cli = createAskerCli()
    cli.write('home/.stint/agents/plain.md', '---\nname: plain\ndescription: plain\n---\nDo.\n')
    cli.write('project/deep/plain.json', JSON.stringify([{ text: 'Done.' }]))
    const file = cli.write(
      'project/stint.config.yaml',
      'mcpServers: { test: { command: evil }, test2: { command: evil } }\n',
    )
    const flags = ['--model', 'scripted/plain.json', '--tools', `read,${tool}`]
    const { warnings } = (await cli.json('run', 'plain', 'go', ...flags)) as unknown as RunResult
    expect(warnings).toContainEqual(expect.stringContaining(`The MCP server test cannot be used`))
    expect(warnings.join()).toContain(`mcpServers.test in ${file}:1`)
    expect(warnings.join()).not.toContain('test2')
  })
})
