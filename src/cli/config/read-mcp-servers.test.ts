import { describe, expect, it } from 'vitest'
import { createCli, type TestCli } from '../cli.fixture.ts'
import type { Platform } from '../platform.ts'
import { untrustedPlaces } from './config.ts'
import { parseConfig } from './parse-config.ts'
import { prepareConfig } from './prepare-config.ts'
import { CANARY, expectDiscreetRefusal } from './secret.fixture.ts'

const parse = (mcpServers: unknown) => {
  const value = JSON.parse(JSON.stringify({ mcpServers }))
  return parseConfig({ file: '/people/ann/.config/stint/config.json', value, lineOf: () => 3 }, 'user', '/people/ann')
}
const platformOf = ({ folder, projectFolder }: TestCli) =>
  ({ env: {}, workingFolder: projectFolder, homeFolder: `${folder}/home` }) as Platform

describe('mcpServers of a config', () => {
  it('are programs and addresses, whose texts may be in variables', () => {
    const { mcpServers } = parse({
      docs: { command: 'npx', args: ['-y', 'docs'], env: { LEVEL: 'debug', TOKEN: { env: 'DOCS_TOKEN' } } },
      web: { url: 'https://example.com/mcp?a=1', headers: { Authorization: { env: 'WEB_TOKEN', prefix: 'Bearer ' } } },
      old: { url: 'http://localhost:80/sse', type: 'sse' },
    })
    const place = (name: string): string => `mcpServers.${name} in /people/ann/.config/stint/config.json:3`
    const env = new Map<string, unknown>([
      ['LEVEL', 'debug'],
      ['TOKEN', { env: 'DOCS_TOKEN', prefix: '' }],
    ])
    expect(mcpServers.get('docs')).toEqual({
      kind: 'program',
      command: 'npx',
      args: ['-y', 'docs'],
      env,
      place: place('docs'),
    })
    expect(mcpServers.get('web')).toEqual({
      kind: 'address',
      url: 'https://example.com/mcp?a=1',
      type: 'http',
      headers: new Map([['Authorization', { env: 'WEB_TOKEN', prefix: 'Bearer ' }]]),
      place: place('web'),
    })
    expect(mcpServers.get('old')).toMatchObject({ type: 'sse', headers: new Map() })
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
    [CANARY, 'no object of MCP servers'],
    [{ docs: CANARY }, 'a program (command, args, env) or an address'],
    [{ docs: { args: [CANARY] } }, 'a program (command, args, env) or an address'],
    [
      { docs: { command: 'npx', url: `https://${CANARY}.example.com` } },
      'a program (command, args, env) or an address',
    ],
    [{ docs: { command: 'npx', arg: [CANARY] } }, 'Did you mean "args"?'],
    [{ docs: { command: 'npx', args: `--key ${CANARY}` } }, 'no list of texts'],
    [{ docs: { command: 'npx', env: [`TOKEN=${CANARY}`] } }, 'no variables with texts'],
    [{ docs: { command: 'npx', env: { [`TOKEN=${CANARY}`]: '' } } }, 'no variables with texts'],
    [{ docs: { command: 'npx', env: { TOKEN: { env: CANARY } } } }, 'neither a text'],
    [{ docs: { url: `https://ann:${CANARY}@example.com/mcp` } }, 'no address of an MCP server'],
    [{ docs: { url: 'https://example.com', type: CANARY } }, 'write http or sse'],
    [{ docs: { url: 'https://example.com', headers: { [`Authorization: ${CANARY}`]: '' } } }, 'no headers with texts'],
    [{ docs: { url: 'https://example.com', headers: { Authorization: `${CANARY}\nX: y` } } }, 'neither a text'],
    [{ 'a.b': { command: 'npx' } }, 'no name of an MCP server'],
    [{ 'a/b': { command: 'npx' } }, 'no name of an MCP server'],
  ])('refuse %j without showing what may be a key', (mcpServers, message) => {
    expectDiscreetRefusal(() => parse(mcpServers), message)
  })

  it('are not used from a file that was merely found, also where it speaks of one that the user has', async () => {
    const cli = createCli()
    cli.write('home/.config/stint/config.yaml', 'mcpServers: { docs: { command: mine } }\n')
    const text = 'limits: { turns: 5 }\nmcpServers:\n  docs: { command: evil }\n  more: { command: evil }\n'
    const file = cli.write('project/stint.config.yaml', text)
    const found = (await prepareConfig(platformOf(cli), {}))()
    expect([...found.mcpServers.values()]).toMatchObject([{ command: 'mine' }])
    expect(untrustedPlaces(found, 'mcpServers').get('more')).toBe(`mcpServers.more in ${file}:4`)
    const named = (await prepareConfig(platformOf(cli), { config: file }))()
    expect([...named.mcpServers.values()]).toMatchObject([{ command: 'evil' }, { command: 'evil' }])
    expect(named.leftOut).toEqual([])
  })
})
