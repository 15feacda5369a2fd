import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PLACEHOLDER } from '../../system/provider-variables.ts'
import { addressesOf } from '../environment/command-environment.ts'
import { piUpstreams } from './pi.ts'
import { prepareClients } from './prepare-clients.ts'

const gatewayUrl = 'http://127.0.0.1:4000'
const key = 'KEY'
const addresses = addressesOf(gatewayUrl, key)

function createHome(files: Readonly<Record<string, unknown>> = {}): string {
  const homeFolder = mkdtempSync(join(tmpdir(), 'stint-home-'))
  onTestFinished(() => rmSync(homeFolder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(homeFolder, path, '..'), { recursive: true })
    writeFileSync(join(homeFolder, path), JSON.stringify(content))
  }
  return homeFolder
}

function prepare(command: string, args: readonly string[], env = {}, homeFolder = createHome()) {
  const stateFolder = join(homeFolder, 'state')
  const prepared = prepareClients({ command, args, env, addresses, gatewayUrl, key, homeFolder, stateFolder })
  onTestFinished(prepared.cleanUp)
  return prepared
}

describe('Claude Code', () => {
  const keyOf = (command: string, args: readonly string[], env = { ANTHROPIC_API_KEY: PLACEHOLDER }) => {
    const { ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN } = prepare(command, args, env).env
    return { key: ANTHROPIC_API_KEY, token: ANTHROPIC_AUTH_TOKEN }
  }

  it.each([
    ['claude', []],
    ['/usr/local/bin/claude', ['-p', 'hello']],
    ['sh', ['-c', 'claude -p hello']],
    ['bash', ['-lc', 'cd src && X=1 claude']],
    ['npx', ['-y', '@anthropic-ai/claude-code@latest', '-p', 'hello']],
    ['timeout', ['60', 'claude']],
    ['node', ['node_modules/@anthropic-ai/claude-code/cli.js']],
  ])('gets a token as its placeholder, which it accepts without asking: %s %j', (command, args) => {
    expect(keyOf(command, args)).toEqual({ key: undefined, token: PLACEHOLDER })
  })

  it.each([
    ['python3', ['agent.py', 'claude']],
    ['node', ['agent.mjs', '--model', 'claude-sonnet-4-5']],
    ['sh', ['-c', 'python3 agent.py --model claude']],
  ])('is not mistaken for another program, which may need the key: %s %j', (command, args) => {
    expect(keyOf(command, args)).toEqual({ key: PLACEHOLDER, token: undefined })
  })

  it('keeps an allowed key', () => {
    expect(keyOf('claude', [], { ANTHROPIC_API_KEY: 'sk-mine' })).toEqual({ key: 'sk-mine', token: undefined })
  })
})

describe('Codex', () => {
  it('gets a separate provider, before its subcommand', () => {
    const { args, env } = prepare('/usr/bin/codex', ['exec', 'say hello'], { OPENAI_API_KEY: PLACEHOLDER })
    expect(args.slice(-2)).toEqual(['exec', 'say hello'])
    expect(args).toContain('model_provider="stint"')
    expect(args).toContain('model_providers.stint.base_url="http://127.0.0.1:4000/openai/v1"')
    expect(args).toContain('model_providers.stint.env_http_headers={x-stint-key="STINT_KEY"}')
    // Every user on the machine can read arguments.
    expect([env.STINT_KEY, args.join(' ').includes(`/${key}/`)]).toEqual([key, false])
    expect(args).toContain('model_providers.stint.wire_api="responses"')
    expect(args).toContain('model_providers.stint.env_key="OPENAI_API_KEY"')
    expect(args.filter((arg) => arg === '-c')).toHaveLength((args.length - 2) / 2)
  })

  it('uses its own login if there is no key', () => {
    const { args } = prepare('codex', [])
    expect(args).toContain('model_providers.stint.requires_openai_auth=true')
    expect(args.join(' ')).not.toContain('env_key')
  })

  it.each([
    ['sh', ['-c', 'cd src && codex exec "say hello"']],
    ['npx', ['codex', 'exec', 'say hello']],
    ['npx', ['-y', '@openai/codex@0.166.0', 'exec']],
    ['node', ['./node_modules/@openai/codex/bin/codex.js', 'exec']],
  ])('is found behind %s %j, and gets a config file instead', (command, given) => {
    const homeFolder = createHome()
    const { args, env, cleanUp } = prepare(command, given, { OPENAI_API_KEY: PLACEHOLDER }, homeFolder)
    expect(args).toEqual(given)
    const config = readFileSync(join(env.CODEX_HOME!, 'config.toml'), 'utf8')
    expect(config).toMatch(/^model_provider = "stint"\n/)
    expect(config).toContain('[model_providers.stint]\nname="OpenAI through Stint"')
    expect(config).toContain('base_url="http://127.0.0.1:4000/openai/v1"')
    expect(config).not.toContain('/k/')
    expect(env.STINT_KEY).toBe(key)
    cleanUp()
    expect(existsSync(env.CODEX_HOME!)).toBe(false)
  })

  it('keeps its user’s settings except for the provider, and does not write to their config', () => {
    const homeFolder = createHome({ '.codex/auth.json': { token: 1 } })
    const written = 'model = "gpt-5"\nmodel_provider = "mine"\n\n[profiles.fast]\nmodel_provider = "other"\n'
    writeFileSync(join(homeFolder, '.codex/config.toml'), written)
    const { env, cleanUp } = prepare('npx', ['codex'], {}, homeFolder)
    const config = readFileSync(join(env.CODEX_HOME!, 'config.toml'), 'utf8')
    expect(config).toContain('model = "gpt-5"')
    expect(config.match(/model_provider *=.*/g)).toEqual(['model_provider = "stint"'])
    expect(lstatSync(join(env.CODEX_HOME!, 'auth.json')).isSymbolicLink()).toBe(true)
    cleanUp()
    expect(readFileSync(join(homeFolder, '.codex/config.toml'), 'utf8')).toBe(written)
  })

  it.each([
    'profiles.fast.model_provider = "mine"',
    'profiles . "fast" . \'model_provider\' = "mine"',
    '"model_provider" = "mine"',
    "'model_provider'='mine'",
    '"model\\u005fprovider" = "mine"',
    'profiles.fast = { model = "gpt-5", model_provider = "mine" }',
    '[profiles]\nfast = {"model_provider"=\'mine\'}',
    'profile = "fast"\n[profiles.fast]\n\t"model_provider" = "mine"',
  ])('uses no other provider, however its user chose one: %s', (written) => {
    const homeFolder = createHome({ '.codex/auth.json': {} })
    writeFileSync(join(homeFolder, '.codex/config.toml'), `${written}\nmodel = "gpt-5"\n`)
    const { env } = prepare('npx', ['codex'], {}, homeFolder)
    const config = readFileSync(join(env.CODEX_HOME!, 'config.toml'), 'utf8')
    expect(config).not.toContain('mine')
    expect(config).toContain('model = "gpt-5"')
  })

  it('is not prepared for a command that does not name it', () => {
    const homeFolder = createHome({ '.codex/auth.json': {} })
    expect(prepare('make', ['agent'], {}, homeFolder).env).not.toHaveProperty('CODEX_HOME')
    expect(existsSync(join(homeFolder, 'state'))).toBe(false)
  })

  it('is not mistaken for another program', () => {
    for (const arg of ['codexes.mjs', 'my-codex-notes.txt', 'codex.md', './xcodex']) {
      expect(prepare('node', [arg]).env, arg).not.toHaveProperty('CODEX_HOME')
    }
  })
})

describe.each([
  { client: 'codex', command: 'npx', args: ['codex'], own: '.codex', variable: 'CODEX_HOME', ours: 'config.toml' },
  {
    client: 'pi',
    command: 'pi',
    args: [],
    own: '.pi/agent',
    variable: 'PI_CODING_AGENT_DIR',
    ours: 'models.json',
  },
])('the folder for $client', ({ command, args, own, variable, ours }) => {
  const place = (files: Readonly<Record<string, unknown>>) => {
    const homeFolder = createHome(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`${own}/${name}`, text])),
    )
    const { env, cleanUp } = prepare(command, args, {}, homeFolder)
    const folder = (env as Readonly<Record<string, string>>)[variable]!
    return { homeFolder, real: join(homeFolder, own), folder, cleanUp }
  }

  it('is in Stint’s own folder, for its user only, where agents cannot write', () => {
    const { homeFolder, folder } = place({})
    expect(dirname(dirname(folder))).toBe(join(homeFolder, 'state'))
    for (const each of [folder, dirname(folder)]) expect(statSync(each).mode & 0o777).toBe(0o700)
  })

  it('returns a login to the user, and nothing that programs would obey', () => {
    const { folder, real, cleanUp } = place({ 'AGENTS.md': 'mine' })
    rmSync(join(folder, 'AGENTS.md'))
    for (const name of ['auth.json', 'AGENTS.md', 'hooks.json', 'settings.json', ours, 'notes.txt']) {
      writeFileSync(join(folder, name), 'written')
    }
    mkdirSync(join(folder, 'prompts'))
    writeFileSync(join(folder, 'prompts', 'review.md'), 'written')
    cleanUp()
    expect(existsSync(folder)).toBe(false)
    expect(readdirSync(real).sort()).toEqual(['AGENTS.md', 'auth.json', 'sessions'])
    expect(readFileSync(join(real, 'AGENTS.md'), 'utf8')).toBe('"mine"')
    expect(readFileSync(join(real, 'auth.json'), 'utf8')).toBe('written')
  })

  it('keeps what is written into the user’s own folders', () => {
    const { folder, real, cleanUp } = place({ 'memories/a.md': 'old' })
    writeFileSync(join(folder, 'sessions', 'one.jsonl'), 'a session')
    writeFileSync(join(folder, 'memories', 'b.md'), 'new')
    cleanUp()
    expect(readFileSync(join(real, 'sessions', 'one.jsonl'), 'utf8')).toBe('a session')
    expect(readdirSync(join(real, 'memories')).sort()).toEqual(['a.md', 'b.md'])
  })

  it('returns no login through a link, whoever made it', () => {
    const { homeFolder, folder, real, cleanUp } = place({ 'auth.json': 'mine' })
    writeFileSync(join(homeFolder, 'other.json'), 'other')
    for (const path of [join(real, 'auth.json'), join(folder, 'auth.json')]) rmSync(path)
    symlinkSync(join(homeFolder, 'other.json'), join(real, 'auth.json'))
    writeFileSync(join(folder, 'auth.json'), 'written')
    cleanUp()
    expect(readFileSync(join(homeFolder, 'other.json'), 'utf8')).toBe('other')
  })
})

describe('opencode', () => {
  it('gets the addresses in the config that it reads last, next to what is there', () => {
    const written = { model: 'anthropic/x', provider: { anthropic: { options: { timeout: 1 } }, local: { npm: 'y' } } }
    const { env } = prepare('opencode', ['run'], { OPENCODE_CONFIG_CONTENT: JSON.stringify(written) })
    expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT!)).toEqual({
      model: 'anthropic/x',
      provider: {
        anthropic: { options: { timeout: 1, baseURL: 'http://127.0.0.1:4000/k/KEY/anthropic/v1' } },
        openai: { options: { baseURL: 'http://127.0.0.1:4000/k/KEY/openai/v1' } },
        local: { npm: 'y' },
      },
    })
  })

  it('is left to refuse an unreadable config itself', () => {
    expect(prepare('opencode', [], { OPENCODE_CONFIG_CONTENT: '{' }).env.OPENCODE_CONFIG_CONTENT).toBe('{')
  })
})

describe('pi', () => {
  const models = {
    providers: {
      fake: { baseUrl: 'http://127.0.0.1:9999', api: 'anthropic-messages', apiKey: 'FAKE_KEY', models: [{ id: 'm' }] },
      other: { baseUrl: 'http://127.0.0.1:9998/v1', api: 'openai-completions', apiKey: 'literal', models: [] },
    },
  }
  const home = () => createHome({ '.pi/agent/models.json': models, '.pi/agent/auth.json': { token: 1 } })
  const modelsOf = (env: Readonly<Record<string, string | undefined>>) =>
    JSON.parse(readFileSync(join(env.PI_CODING_AGENT_DIR!, 'models.json'), 'utf8'))

  it('gets a models file with the chosen provider on the gateway, and everything else from the user', () => {
    const { env, cleanUp } = prepare('pi', ['-p', '--provider', 'fake', 'hello'], { FAKE_KEY: 'secret' }, home())
    const { providers } = modelsOf(env)
    expect(providers.fake).toEqual({
      baseUrl: 'http://127.0.0.1:4000/k/KEY/anthropic',
      api: 'anthropic-messages',
      apiKey: PLACEHOLDER,
      models: [{ id: 'm' }],
    })
    expect(providers.anthropic).toEqual({ baseUrl: 'http://127.0.0.1:4000/k/KEY/anthropic' })
    expect(providers.openai).toEqual({ baseUrl: 'http://127.0.0.1:4000/k/KEY/openai/v1' })
    expect(providers.other).toEqual(models.providers.other)
    expect(lstatSync(join(env.PI_CODING_AGENT_DIR!, 'auth.json')).isSymbolicLink()).toBe(true)
    cleanUp()
    expect(existsSync(env.PI_CODING_AGENT_DIR!)).toBe(false)
  })

  it('returns a new login, and leaves the user’s models file unchanged', () => {
    const homeFolder = home()
    const { env, cleanUp } = prepare('pi', [], {}, homeFolder)
    const login = join(env.PI_CODING_AGENT_DIR!, 'auth.json')
    rmSync(login)
    writeFileSync(login, '{"token":2}')
    cleanUp()
    expect(readFileSync(join(homeFolder, '.pi/agent/auth.json'), 'utf8')).toBe('{"token":2}')
    expect(JSON.parse(readFileSync(join(homeFolder, '.pi/agent/models.json'), 'utf8'))).toEqual(models)
  })

  it('uses the upstream and key that its models file names for the chosen provider', () => {
    const upstreams = { anthropic: { baseUrl: 'https://api.anthropic.com', apiKey: null } }
    const planned = { command: 'pi', env: { FAKE_KEY: 'secret' }, homeFolder: home() }
    const of = (...args: string[]) => piUpstreams({ ...planned, args }, upstreams)
    expect(of('--provider', 'fake').anthropic).toEqual({ baseUrl: 'http://127.0.0.1:9999', apiKey: 'secret' })
    expect(of('--model', 'other/x')).toEqual({
      ...upstreams,
      openai: { baseUrl: 'http://127.0.0.1:9998/v1', apiKey: 'literal' },
    })
    expect(of()).toEqual(upstreams)
    expect(piUpstreams({ ...planned, command: 'node', args: ['--provider', 'fake'] }, upstreams)).toEqual(upstreams)
  })

  it('is not prepared for a user who does not have it', () => {
    expect(prepare('claude', []).env).not.toHaveProperty('PI_CODING_AGENT_DIR')
  })
})
