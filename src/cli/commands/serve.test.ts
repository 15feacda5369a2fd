import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Gateway, GatewayOptions } from '../../gateway/gateway.ts'
import { hashGatewayKey } from '../../gateway/keys/index.ts'
import { createCli, type TestCliOptions } from '../cli.fixture.ts'

const CANARY = 'sk-ant-canary-0123456789'
const USER_CONFIG = 'home/.config/stint/config.yaml'
const ENV = { ANTHROPIC_API_KEY: CANARY }
const UPSTREAMS = 'upstreams: { anthropic: { apiKeyEnv: ANTHROPIC_API_KEY }, openai: {} }\n'

/** A command line whose gateway is only recorded. */
function createServe(options: TestCliOptions = {}) {
  const started: GatewayOptions[] = []
  const closed: (number | undefined)[] = []
  const waiting: (() => void)[] = []
  const finish = (): void => {
    for (const resolve of waiting) resolve()
  }
  const cli = createCli({
    env: ENV,
    async startGateway(asked): Promise<Gateway> {
      started.push(asked)
      const { host = '127.0.0.1', port = 0 } = asked
      return {
        host,
        port,
        url: `http://${host}:${port}`,
        close(graceMs) {
          closed.push(graceMs)
          return new Promise((resolve) => {
            waiting.push(resolve)
            if (graceMs === 0) finish()
          })
        },
      }
    },
    ...options,
  })
  cli.write(USER_CONFIG, UPSTREAMS)
  const serving = async (...flags: readonly string[]) => {
    const answer = cli.run('serve', ...flags)
    await expect.poll(() => cli.said.out).toMatch(/listens on|"url"/)
    return { answer }
  }
  return { ...cli, started, closed, serving, finish }
}

describe('stint serve', () => {
  it('starts the gateway with the upstreams of the config, and prints its addresses', async () => {
    const cli = createServe()
    const { answer } = await cli.serving()
    const token = /#sign-in=([\w-]{43}) /.exec(cli.said.out)![1]!
    expect(cli.said.out.replace(token, 'TOKEN')).toBe(
      [
        'The dashboard is at http://127.0.0.1:7433/#sign-in=TOKEN  (works once, for 5 minutes)',
        'The gateway listens on http://127.0.0.1:7433',
        '  FOR        BASE URL                            PROVIDER                   KEY',
        '  Anthropic  http://127.0.0.1:7433/anthropic  →  https://api.anthropic.com  (ANTHROPIC_API_KEY)',
        "  OpenAI     http://127.0.0.1:7433/openai/v1  →  https://api.openai.com/v1  (the client's own)",
        '',
      ].join('\n'),
    )
    expect(cli.said.error).toContain('There are no valid keys for the gateway yet')
    expect(cli.started).toMatchObject([
      {
        host: '127.0.0.1',
        port: 7433,
        allowedHosts: [],
        upstreams: {
          anthropic: { baseUrl: 'https://api.anthropic.com', apiKey: CANARY },
          openai: { baseUrl: 'https://api.openai.com/v1', apiKey: null },
        },
      },
    ])
    cli.stop()
    cli.finish()
    expect(await answer).toMatchObject({ exitCode: 0 })
    expect(cli.said.out + cli.said.error).not.toContain(CANARY)
  })

  it('admits clients with a key of the ledger', async () => {
    const cli = createServe()
    await cli.run('budget', 'set', 'team:core', '--limit', 'cost=1')
    const { key } = JSON.parse((await cli.run('keys', 'create', 'team:core', '--json')).stdout) as { key: string }
    const { answer } = await cli.serving()
    const { admission } = cli.started[0]!
    expect((await admission.scopeOf(key))?.id).toBe('team:core')
    expect(await admission.scopeOf(`stint_${'A'.repeat(43)}`)).toBe(null)
    expect(cli.said.error).not.toContain('There are no valid keys for the gateway yet')
    cli.stop()
    cli.finish()
    await answer
    expect((await cli.store.keyByHash({ hash: hashGatewayKey(key) }))?.revokedAtMs).toBe(null)
  })

  it('lets requests in flight finish up to the grace when it is stopped; cuts them the second time', async () => {
    const cli = createServe()
    const { answer } = await cli.serving('--grace', '5s')
    cli.stop()
    expect(cli.closed).toEqual([5_000])
    expect(cli.said.error).toContain('Stopping after requests in flight finish')
    cli.stop()
    expect(cli.closed).toEqual([5_000, 0])
    expect(await answer).toMatchObject({ exitCode: 0 })
    const first = createServe()
    const patient = await first.serving()
    first.stop()
    first.finish()
    expect(await patient.answer).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('was stopped') })
    expect(first.closed).toEqual([30_000])
  })

  it('prints its addresses as one document with --json', async () => {
    const cli = createServe()
    const { answer } = await cli.serving('--json', '--port', '0')
    cli.stop()
    cli.finish()
    const { stdout } = await answer
    expect(JSON.parse(stdout)).toEqual({
      url: 'http://127.0.0.1:0',
      host: '127.0.0.1',
      port: 0,
      signIn: expect.stringMatching(/^http:\/\/127\.0\.0\.1:0\/#sign-in=[\w-]{43}$/),
      providers: {
        anthropic: {
          baseUrl: 'http://127.0.0.1:0/anthropic',
          upstream: 'https://api.anthropic.com',
          key: { kind: 'variable', name: 'ANTHROPIC_API_KEY' },
        },
        openai: { baseUrl: 'http://127.0.0.1:0/openai/v1', upstream: 'https://api.openai.com/v1', key: null },
      },
    })
  })

  it.each([
    [['--host', '0.0.0.0'], '--host 0.0.0.0: Others on the network could reach the gateway there'],
    [['--host', '192.168.1.5'], '--allow-remote'],
    [['--host', '::'], '--allow-remote'],
    [['--host', '0.0.0.0', '--allow-remote'], '--allow-host NAME'],
    [['--host', 'example.com'], '127.0.0.1'],
    [['--port', '70000'], '65535'],
    [['--port', '1e3'], '65535'],
    [['--grace', 'soon'], '30s'],
    [['--allow-host', 'a b'], 'gateway.example.com'],
    [['--tls-cert', 'a.pem'], '--tls-key'],
    [['--tls-key', 'a.pem'], '--tls-cert'],
    [['--tls-cert', 'gone.pem', '--tls-key', 'gone.pem'], '--tls-cert: The file cannot be read'],
    [['--behind-proxy', 'a b'], 'stint.example.com'],
    [['--store', 'memory:'], '--store: A ledger in memory starts without keys'],
  ])('I8: refuses %j with a reason before anything is opened', async (flags, text) => {
    const cli = createServe()
    const { exitCode, stdout, stderr } = await cli.run('serve', ...flags)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(text)
    expect([cli.started, cli.opened]).toEqual([[], []])
  })

  it('listens on a public address only if asked to, under the given names', async () => {
    const cli = createServe()
    const names = ['--allow-host', 'gateway.example.com', '--allow-host', 'gw:8080']
    const { answer } = await cli.serving('--host', '0.0.0.0', '--allow-remote', ...names)
    expect(cli.started[0]).toMatchObject({ host: '0.0.0.0', allowedHosts: ['gateway.example.com', 'gw:8080'] })
    cli.stop()
    cli.finish()
    await answer
  })

  it('prints a line for every reason not to start', async () => {
    const cli = createServe({ env: { EMPTY: ' ', ODD: `${CANARY} and more` } })
    const refused = async (config: string) => {
      cli.write(USER_CONFIG, config)
      const { exitCode, stderr } = await cli.run('serve', '--host', '0.0.0.0')
      expect(exitCode).toBe(2)
      expect(stderr).not.toContain(CANARY)
      return stderr
    }
    const one = await refused('upstreams: { anthropic: { apiKeyEnv: MISSING }, openai: { apiKeyEnv: EMPTY } }\n')
    expect(one.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(3)
    expect(one).toContain("The environment variable MISSING is not set. Put the provider's key there.")
    expect(one).toContain('The environment variable EMPTY is empty.')
    const two = await refused('upstreams: { anthropic: { apiKeyEnv: ODD }, openai: { apiKeyFile: ~/gone } }\n')
    expect(two).toContain('The environment variable ODD does not contain a key.')
    expect(two).toMatch(/The file \S+gone does not exist/)
  })

  it('starts without an upstream, and says how to set one', async () => {
    const cli = createServe()
    cli.write(USER_CONFIG, 'limits: { cost: 1 }\n')
    const { answer } = await cli.serving()
    expect(cli.said.error).toContain('No upstreams are configured, so the gateway refuses every request.')
    expect(cli.said.error).not.toContain('valid keys')
    expect(cli.started[0]?.upstreams).toEqual({})
    cli.stop()
    cli.finish()
    await answer
  })

  it('serves the dashboard beyond this machine only with encryption, and without sign-in links', async () => {
    const plain = createServe()
    const open = await plain.serving('--host', '192.168.1.5', '--allow-remote')
    expect(plain.started[0]).not.toHaveProperty('otherRequests')
    expect(plain.said.error).toContain('The dashboard and the API are off')
    const proxied = createServe()
    const behind = await proxied.serving('--behind-proxy', 'Stint.example.com')
    expect(proxied.started[0]).toMatchObject({ allowedHosts: ['stint.example.com'], otherRequests: expect.anything() })
    expect(proxied.said.out).not.toContain('#sign-in')
    expect(proxied.said.error).toContain('stint keys create --role admin')
    for (const cli of [plain, proxied]) {
      cli.stop()
      cli.finish()
    }
    await Promise.all([open.answer, behind.answer])
  })

  it('starts without the key of one upstream, says so, and refuses only requests for that one', async () => {
    const cli = createServe()
    const file = cli.write(USER_CONFIG, 'upstreams:\n  openai: {}\n  anthropic: { apiKeyEnv: MISSING }\n')
    const { answer } = await cli.serving()
    expect(cli.said.error).toContain(
      `upstreams.anthropic in ${file}:3: The environment variable MISSING is not set. Put the provider's key there. ` +
        'Until you fix that and restart the gateway, requests for anthropic are refused.',
    )
    const { anthropic, openai } = cli.started[0]!.upstreams
    expect(openai).not.toHaveProperty('unusable')
    // Clients must not learn where the operator's config is.
    expect(anthropic?.unusable).toBe(
      'The gateway has no key for anthropic, so nothing can be sent there. Ask its operator.',
    )
    cli.stop()
    cli.finish()
    await answer
  })

  it('reads a key from a file, and warns if others can read it', async () => {
    const cli = createServe()
    const file = cli.write('home/key', `${CANARY}\n`)
    chmodSync(file, 0o644)
    cli.write(USER_CONFIG, 'upstreams: { openai: { baseUrl: "http://llm.example.com/v1", apiKeyFile: ~/key } }\n')
    const { answer } = await cli.serving()
    expect(cli.started[0]?.upstreams).toEqual({ openai: { baseUrl: 'http://llm.example.com/v1', apiKey: CANARY } })
    expect(cli.said.error).toContain(`Others can read the key in ${file}.`)
    expect(cli.said.error).toContain('goes to http://llm.example.com/v1 unencrypted')
    cli.stop()
    cli.finish()
    await answer
    expect(cli.said.out + cli.said.error).not.toContain(CANARY)
  })

  it('sends no key to an address from a config that was merely found', async () => {
    const cli = createServe()
    const file = cli.write(
      'project/stint.config.yaml',
      'upstreams:\n  anthropic: { baseUrl: "https://evil.example.com", apiKeyEnv: ANTHROPIC_API_KEY }\n',
    )
    const { answer } = await cli.serving()
    expect(cli.started[0]?.upstreams.anthropic?.baseUrl).toBe('https://api.anthropic.com')
    expect(cli.said.error).toContain(`this is ignored: upstreams.anthropic in ${file}:2`)
    cli.stop()
    cli.finish()
    await answer
    cli.write(USER_CONFIG, '')
    const without = await cli.serving()
    expect(cli.started[1]?.upstreams).toEqual({})
    expect(cli.said.error).toContain('--config FILE')
    cli.stop()
    cli.finish()
    await without.answer
    const named = await cli.serving('--config', file)
    expect(cli.started[2]?.upstreams.anthropic?.baseUrl).toBe('https://evil.example.com')
    cli.stop()
    cli.finish()
    await named.answer
  })

  it.each([
    ['EADDRINUSE', 'another program is using the port'],
    ['EACCES', 'above 1023'],
    ['EADDRNOTAVAIL', 'does not have that address'],
  ])('says why it cannot listen (%s), and exits with 125', async (code, text) => {
    const startGateway = () => Promise.reject(Object.assign(new Error(`listen ${code}`), { code }))
    const { exitCode, stderr } = await createServe({ startGateway }).run('serve', '--json')
    expect(exitCode).toBe(125)
    expect(JSON.parse(stderr.split('\n')[0]!)).toMatchObject({ error: { code: 'cannot_listen' } })
    expect(stderr).toContain(text)
  })
})
