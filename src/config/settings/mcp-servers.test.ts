import { describe, expect, it } from 'vitest'
import { CANARY, createMachine, expectDiscreetRefusal } from '../config.fixture.ts'
import { untrustedPlaces } from '../config.ts'
import { parseConfig } from '../parse-config.ts'

const parse = (mcpServers: unknown) => {
  const value = JSON.parse(JSON.stringify({ mcpServers }))
  return parseConfig({ file: '/people/ann/.config/stint/config.json', value, lineOf: () => 3 }, 'user', '/people/ann')
}

describe('mcpServers of a config', () => {
  it('are programs and addresses, whose texts may come from variables', () => {
    const { mcpServers } = parse({
      docs: { command: 'npx', args: ['-y', 'docs'], env: { LEVEL: 'debug', TOKEN: { env: 'DOCS_TOKEN' } } },
      web: { url: 'https://example.com/mcp?a=1', headers: { Authorization: { env: 'WEB_TOKEN', prefix: 'Bearer ' } } },
      old: { url: 'http://localhost:80/sse', type: 'sse' },
    })
    const place = (name: string): string => `mcpServers.${name} in /people/ann/.config/stint/config.json:3`
    expect(mcpServers.get('docs')).toEqual({
      command: 'npx',
      args: ['-y', 'docs'],
      env: { LEVEL: 'debug', TOKEN: { env: 'DOCS_TOKEN' } },
      place: place('docs'),
    })
    expect(mcpServers.get('web')).toEqual({
      url: 'https://example.com/mcp?a=1',
      headers: { Authorization: { env: 'WEB_TOKEN', prefix: 'Bearer ' } },
      place: place('web'),
    })
    expect(mcpServers.get('old')).toEqual({ url: 'http://localhost:80/sse', type: 'sse', place: place('old') })
  })

  it.each([
    ['npx', 'npx'],
    ['./server', '/people/ann/.config/stint/server'],
    ['bin/server', '/people/ann/.config/stint/bin/server'],
    ['~/bin/server', '/people/ann/bin/server'],
    ['/opt/server', '/opt/server'],
  ])('start %s as %s: never a program of the folder that an agent works in', (command, path) => {
    expect(parse({ docs: { command } }).mcpServers.get('docs')).toMatchObject({ command: path })
  })

  it.each<[unknown, string]>([
    [CANARY, 'not a set of at most 100 MCP servers'],
    [{ docs: CANARY }, 'a program (command, args, env) or an address'],
    [{ docs: { args: [CANARY] } }, 'a program (command, args, env) or an address'],
    [
      { docs: { command: 'npx', url: `https://${CANARY}.example.com` } },
      'a program (command, args, env) or an address',
    ],
    [{ docs: { command: 'npx', arg: [CANARY] } }, 'Did you mean "args"?'],
    [{ docs: { command: 'npx', args: `--key ${CANARY}` } }, 'not a list of texts'],
    [{ docs: { command: 'npx', env: [`TOKEN=${CANARY}`] } }, 'not a set of variables with texts'],
    [{ docs: { command: 'npx', env: { [`TOKEN=${CANARY}`]: '' } } }, 'not a set of variables with texts'],
    [{ docs: { command: 'npx', env: { TOKEN: { env: CANARY } } } }, 'not the name of an environment variable'],
    [{ docs: { command: 'npx', env: { TOKEN: { env: 'A', [CANARY]: 1 } } } }, 'The settings here are env, prefix'],
    [{ docs: { command: 'npx', env: { TOKEN: { [CANARY]: 1 } } } }, 'not a text'],
    [{ docs: { command: 'npx', env: { [`TOKEN=${CANARY}`]: 5 } } }, 'not a set of variables with texts'],
    [{ docs: { url: `https://ann:${CANARY}@example.com/mcp` } }, 'not the address of an MCP server'],
    [{ docs: { url: 'https://example.com', type: CANARY } }, 'Write http or sse'],
    [
      { docs: { url: 'https://example.com', headers: { [`Authorization: ${CANARY}`]: '' } } },
      'not a set of headers with texts',
    ],
    [
      { docs: { url: 'https://example.com', headers: { Authorization: `${CANARY}\nX: y` } } },
      'not a text (numbers in quotes) or { env: VARIABLE, prefix: TEXT }',
    ],
    [{ 'a.b': { command: 'npx' } }, 'not the name of an MCP server'],
    [{ 'a/b': { command: 'npx' } }, 'not the name of an MCP server'],
  ])('refuse %j without showing what may be a key', (mcpServers, message) => {
    expectDiscreetRefusal(() => parse(mcpServers), message)
  })

  it('are ignored in an untrusted file, even if it refers to a server of the user', async () => {
    const machine = createMachine()
    machine.write('home/.config/stint/config.yaml', 'mcpServers: { docs: { command: mine } }\n')
    const text = 'limits: { turns: 5 }\nmcpServers:\n  docs: { command: evil }\n  more: { command: evil }\n'
    const file = machine.write('project/stint.config.yaml', text)
    const found = await machine.load()
    expect([...found.mcpServers.values()]).toMatchObject([{ command: 'mine' }])
    expect(untrustedPlaces(found, 'mcpServers').get('more')).toBe(`mcpServers.more in ${file}:4`)
    const named = await machine.load({ config: file })
    expect([...named.mcpServers.values()]).toMatchObject([{ command: 'evil' }, { command: 'evil' }])
    expect(named.leftOut).toEqual([])
  })
})
