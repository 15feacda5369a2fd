import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asSchema } from 'ai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProcessTable } from '../../../system/processes/create-process-table.ts'
import { openTools, until } from '../tools.fixture.ts'
import { addressServer, programServer } from './mcp-server.fixture.ts'

const isRunning = (pid: number): boolean => createProcessTable().look(pid) !== null

function serverFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stint-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const KEYS = { PATH: process.env.PATH, OPENAI_API_KEY: 'sk-0123456789abcdef', STINT_SCOPE: 'token', PLAIN: 'yes' }

describe('the tools of an MCP server that is a program', () => {
  it("are called by their own names, and return the server's answers", async () => {
    const { server } = programServer(serverFolder())
    const { call, tools, declarations, warnings } = await openTools({ mcpServers: { test: server }, env: KEYS })
    expect(await call('mcp__test__echo', { text: 'hello' })).toBe('echo: hello')
    expect(await call('mcp__test__picture', {})).toBe('[image image/png, 4 characters of base64: not shown]\na dot')
    await expect(call('mcp__test__fail', {})).rejects.toMatchObject({ code: 'tool_failed', message: 'it is broken' })
    expect(declarations).toMatchObject({ mcp__test__echo: { changes: false }, mcp__test__fail: { changes: true } })
    const environment = JSON.parse(await call('mcp__test__environment', {}))
    expect(environment).toMatchObject({ PLAIN: 'yes', FROM_CONFIG: 'yes' })
    expect(Object.keys(environment)).not.toContain('OPENAI_API_KEY')
    expect(Object.keys(environment)).not.toContain('STINT_SCOPE')
    expect(Object.keys(tools)).not.toContain('mcp__test__endless')
    expect(warnings).toEqual([expect.stringMatching('The tool endless of the MCP server test is skipped')])
    expect(await asSchema(tools.mcp__test__complicated?.inputSchema).jsonSchema).toEqual({
      type: 'object',
      properties: {
        who: { type: 'string', description: 'A name.' },
        when: { type: 'string' },
        how: { type: 'string', enum: ['fast', 'slow'] },
      },
    })
  })

  it('show a part of a long answer, and keep the rest in a file', async () => {
    const { server } = programServer(serverFolder())
    const { call, artifactFolder } = await openTools({ mcpServers: { test: server }, names: ['read', 'mcp:test'] })
    const shown = await call('mcp__test__flood', { bytes: 1_000_000 })
    expect(shown.length).toBeLessThan(31_000)
    expect(shown).toContain(join(artifactFolder, 'mcp__test__flood-1.txt'))
  })

  it('C6: are stopped by the signal if they hang, and fail if the answer is too long', async () => {
    const { server } = programServer(serverFolder())
    const { call } = await openTools({ mcpServers: { test: server } })
    await expect(call('mcp__test__hang', {}, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(call('mcp__test__flood', { bytes: 20_000_000 })).rejects.toMatchObject({ code: 'tool_failed' })
    await expect(call('mcp__test__echo', { text: 'x' })).rejects.toMatchObject({ code: 'tool_failed' })
  })

  it.each(['twice', 'stranger'])('J12: that answer %s only cause one warning, and the run continues', async (tool) => {
    const { server } = programServer(serverFolder())
    const warned: string[] = []
    const { call } = await openTools({ mcpServers: { test: server }, onWarning: (message) => warned.push(message) })
    for (let time = 0; time < 3; time++) expect(await call(`mcp__test__${tool}`, {})).toBe('called')
    await until(() => warned.length > 0)
    expect(await call('mcp__test__echo', { text: 'still here' })).toBe('echo: still here')
    expect(warned).toEqual([expect.stringMatching('The MCP server test sent an unexpected answer')])
  })

  it('J12: that answer after their call was stopped only cause a warning', async () => {
    const { server, answerLate } = programServer(serverFolder())
    const warned: string[] = []
    const { call } = await openTools({ mcpServers: { test: server }, onWarning: (message) => warned.push(message) })
    await expect(call('mcp__test__late', {}, AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' })
    answerLate()
    await until(() => warned.length > 0)
    expect(warned).toEqual([expect.stringMatching('The MCP server test sent an unexpected answer')])
    expect(await call('mcp__test__echo', { text: 'still here' })).toBe('echo: still here')
  })

  it('C5: close ends a server that ignores signals, with the processes it started', async () => {
    const { server, pidFile } = programServer(serverFolder())
    const tools = await openTools({ mcpServers: { test: server } })
    const pids = readFileSync(pidFile, 'utf8').split(' ').map(Number)
    expect(pids.filter(isRunning)).toEqual(pids)
    await tools.close()
    expect(pids.filter(isRunning)).toEqual([])
    await expect(tools.call('mcp__test__echo', { text: 'x' })).rejects.toMatchObject({ code: 'tool_failed' })
  })

  it('are missing with a warning if the server does not start, and the others are available', async () => {
    const broken = programServer(serverFolder(), 'broken').server
    const nothing = { command: '/no/such/program' }
    const { tools, warnings } = await openTools({ mcpServers: { broken, nothing } })
    expect(Object.keys(tools)).toEqual(['read', 'write', 'edit', 'grep', 'glob', 'bash'])
    expect(warnings).toEqual([
      expect.stringMatching(/^The MCP server broken cannot be used: .*no database/),
      expect.stringMatching(/^The MCP server nothing cannot be used: .*ENOENT/),
    ])
  })

  it('are the requested ones; a server without requested tools is not started', async () => {
    const { server } = programServer(serverFolder())
    const other = { command: '/no/such/program' }
    const names = ['read', 'mcp__test__echo', 'mcp:test/fail', 'mcp:test/missing', 'mcp:unknown']
    const { tools, missing, warnings } = await openTools({
      mcpServers: { test: server, other },
      names,
      without: ['mcp:test/fail'],
    })
    expect(Object.keys(tools)).toEqual(['read', 'mcp__test__echo'])
    expect(missing).toEqual(['mcp:unknown'])
    expect(warnings).toEqual([expect.stringMatching('The MCP server test has no tool missing')])
  })
})

describe('the tools of an MCP server with an address', () => {
  it('are called with the headers of the config', async () => {
    const { url, seen } = await addressServer()
    const { call, close } = await openTools({ mcpServers: { web: { url, headers: { authorization: 'Bearer own' } } } })
    expect(await call('mcp__web__echo', { text: 'hello' })).toBe('echo: hello')
    expect(seen.every(({ headers }) => headers.authorization === 'Bearer own')).toBe(true)
    await expect(call('mcp__web__hang', {}, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' })
    await close()
  })

  it('are missing with a warning if the server is unreachable', async () => {
    const { warnings } = await openTools({ mcpServers: { web: { url: 'http://127.0.0.1:9/mcp' } } })
    expect(warnings).toEqual([expect.stringMatching('The MCP server web cannot be used')])
  })
})
