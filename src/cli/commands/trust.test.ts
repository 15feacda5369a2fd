import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCli, type TestCli, type TestCliOptions } from '../cli.fixture.ts'

const CONFIG = 'limits: { turns: 9 }\nprices: { my-model: { input: 0, output: 0 } }\nlog: ./x.log\n'
const AGENT = '---\nname: helper\ntools: read, bash\n---\nHelp.\n'

function createProject(options: TestCliOptions = {}): TestCli & { readonly config: string; readonly agent: string } {
  const cli = createCli(options)
  const config = cli.write('project/stint.config.yaml', CONFIG)
  const agent = cli.write('project/.stint/agents/helper.md', AGENT)
  return { ...cli, config, agent }
}

interface Shown {
  readonly folders: readonly { readonly claims: readonly { readonly setting: string; readonly isTrusted: boolean }[] }[]
}

const asked = async (cli: TestCli): Promise<readonly string[]> => {
  const { folders } = (await cli.json('trust', '--show')) as unknown as Shown
  return folders.flatMap(({ claims }) => claims.filter(({ isTrusted }) => !isTrusted).map(({ setting }) => setting))
}

describe('stint trust', () => {
  it('shows each setting that it would allow with file and line, asks, and remembers a yes', async () => {
    const cli = createProject({ confirms: true })
    const { exitCode, stdout, stderr } = await cli.run('trust')
    expect(stderr).toBe(
      [
        `${cli.folder}/project asks for this:`,
        `  prices.my-model in ${cli.config}:2: charges the model my-model by {"input":0,"output":0}`,
        `  log in ${cli.config}:3: writes the log to ./x.log`,
        `  limits.turns in ${cli.config}:1: limits toolCalls to 9, instead of your limit`,
        `  tools in ${cli.agent}:3: lets helper use bash`,
        'Trust it with that? [y/N] ',
      ].join('\n'),
    )
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `Trusted ${cli.folder}/project.\n` })
    expect(await asked(cli)).toEqual([])
    expect((await cli.run('trust')).stdout).toBe('All of it is already trusted.\n')
  })

  it('remembers nothing after a no', async () => {
    const cli = createProject({ confirms: false })
    expect(await cli.run('trust')).toMatchObject({ exitCode: 1, stdout: 'Nothing was trusted.\n' })
    expect(await asked(cli)).toEqual(['prices.my-model', 'log', 'limits.toolCalls.', 'tools.bash'])
  })

  it('needs a terminal, or --trust', async () => {
    const cli = createProject()
    const { exitCode, stderr } = await cli.run('trust')
    expect({ exitCode, isSaid: stderr.includes('stint trust --trust') }).toEqual({ exitCode: 2, isSaid: true })
    expect(await cli.run('trust', '--trust')).toMatchObject({ exitCode: 0 })
    expect(await asked(cli)).toEqual([])
  })

  it('stores digests that only its user can read', async () => {
    const cli = createProject({ confirms: true })
    await cli.run('trust')
    const folder = join(cli.folder, 'home/.local/state/stint/trust')
    const [file] = readdirSync(folder)
    expect(statSync(join(folder, file!)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, file!), 'utf8')).not.toContain('x.log')
  })

  it('asks again when something more is allowed, says what, and for no other change', async () => {
    const cli = createProject({ confirms: true })
    await cli.run('trust')
    cli.write('project/stint.config.yaml', `# tidied\nlog: ./x.log\nlimits: { turns: 8 }\n`)
    cli.write('project/.stint/agents/helper.md', AGENT.replace('Help.', 'Help a lot.'))
    expect(await asked(cli)).toEqual([])
    expect((await cli.run('explain')).stdout).not.toContain('not trusted')
    cli.write('project/stint.config.yaml', `log: ./x.log\nlimits: { turns: 10 }\nstore: sqlite:./other.db\n`)
    expect(await asked(cli)).toEqual(['store', 'limits.toolCalls.'])
    const { stderr } = await cli.run('trust')
    expect(stderr).toContain('project was trusted before, and now asks for more:')
    expect(stderr).not.toContain('x.log')
    expect(await asked(cli)).toEqual([])
  })

  it('trusts the current settings: what was removed asks again when it comes back', async () => {
    const cli = createProject({ confirms: true })
    await cli.run('trust')
    cli.write('project/stint.config.yaml', 'limits: { turns: 9 }\n')
    await cli.run('trust')
    cli.write('project/stint.config.yaml', CONFIG)
    expect(await asked(cli)).toEqual(['prices.my-model', 'log'])
  })

  it('works on the given folder', async () => {
    const cli = createProject({ confirms: true })
    mkdirSync(join(cli.folder, 'elsewhere'))
    expect((await cli.run('trust', join(cli.folder, 'elsewhere'))).stdout).toBe('Nothing here asks to be trusted.\n')
    await cli.run('trust', '..')
    expect(await asked(cli)).toEqual([])
  })

  it('--remove forgets, even if the files are gone', async () => {
    const cli = createProject({ confirms: true })
    await cli.run('trust')
    expect((await cli.run('trust', '--remove')).stdout).toBe(`No longer trusted: ${cli.folder}/project.\n`)
    expect(await asked(cli)).toHaveLength(4)
    expect((await cli.run('trust', '--remove')).stdout).toBe('Nothing here was trusted.\n')
    await cli.run('trust')
    for (const file of [cli.config, cli.agent]) rmSync(file)
    expect((await cli.run('trust', '--remove', '..')).stdout).toContain('No longer trusted')
  })

  it('lists a model only if it has no price', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', 'models: { default: haiku, free: local/free }\n')
    cli.write('project/.stint/agents/a.md', '---\nname: a\ntools: read\nmodel: free\nfallbackModels: sonnet\n---\n')
    expect(await asked(cli)).toEqual(['models.free.local/free', 'model.free'])
  })

  it.each([
    [{ STINT_RUN: 'run-1' }, ['trust', '--trust']],
    [{ STINT_RUN: 'run-1' }, ['trust']],
    [{ STINT_SCOPE: 'token' }, ['trust']],
    [{ STINT_SCOPE: 'token' }, ['status', '--trust']],
  ])('is refused inside a run: %j %j', async (env, args) => {
    const cli = createProject({ env, confirms: true })
    const { exitCode, stderr } = await cli.run(...args)
    expect({ exitCode, isSaid: stderr.includes('refused inside a run') }).toEqual({ exitCode: 1, isSaid: true })
    expect(existsSync(join(cli.folder, 'home/.local/state/stint/trust'))).toBe(false)
    expect(await cli.run('trust', '--show')).toMatchObject({ exitCode: 0 })
  })
})

describe('an untrusted folder', () => {
  it('has its ignored settings listed by explain, with the command that allows them', async () => {
    const cli = createProject()
    cli.write('home/.config/stint/config.yaml', 'limits: { turns: 5 }\n')
    const { stdout } = await cli.run('explain')
    expect(stdout).toContain('Ignored, because this folder is not trusted:')
    expect(stdout).toContain(`log in ${cli.config}:3: It writes the log to ./x.log.`)
    expect(stdout).toContain(`limits.turns in ${cli.config}:1 asks for 9; toolCalls stays 5`)
    expect(stdout).toMatch(/To see and allow it: stint trust\n$/)
    expect(await cli.json('explain')).toMatchObject({
      leftOut: [{ place: `prices.my-model in ${cli.config}:2` }, { place: `log in ${cli.config}:3` }, {}],
    })
    expect((await cli.run('explain', '--trust')).stdout).not.toContain('Not used')
  })

  it('is reported by doctor, with its agents, and not as a problem', async () => {
    const cli = createProject({ confirms: true })
    const findings = async () => ((await cli.json('doctor')) as unknown as { findings: { subject: string }[] }).findings
    expect(await findings()).toContainEqual({
      subject: 'trust',
      state: 'notice',
      detail: `ignored in this folder: prices.my-model in ${cli.config}:2; log in ${cli.config}:3; tools in ${cli.agent}:3`,
      remedy: 'To see and allow it: stint trust',
    })
    await cli.run('trust')
    expect(await findings()).toContainEqual(
      expect.objectContaining({ subject: 'trust', state: 'ok', detail: `${cli.folder}/project, with 4 settings` }),
    )
  })

  it('is reported on one line when its store is ignored, and not when the command does not need it', async () => {
    const cli = createProject()
    expect((await cli.run('status')).stderr).toBe('')
    cli.write('project/stint.config.yaml', `${CONFIG}store: sqlite:./other.db\n`)
    expect((await cli.run('status')).stderr).toBe(
      `stint: This folder is not trusted, so this is ignored: store in ${cli.config}:4. To see and allow it: stint trust\n`,
    )
    expect(new Set(cli.opened)).toEqual(new Set([cli.ledgerFile]))
  })

  it('gives no budgets to the ledger', async () => {
    const cli = createCli()
    const file = cli.write('project/stint.config.yaml', 'budgets: { "team:core": { limits: { cost: 1000 } } }\n')
    const { exitCode, stderr } = await cli.run('budget', 'set')
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`this is ignored: budgets."team:core" in ${file}:1`)
  })

  it('has agents whose ignored parts are listed by agents list and get', async () => {
    const cli = createProject()
    expect((await cli.run('agents', 'list')).stderr).toContain(`this is ignored: tools in ${cli.agent}:3`)
    expect(await cli.json('agents', 'list')).toMatchObject({ leftOut: [{ reason: 'It lets helper use bash.' }] })
    expect((await cli.run('agents', 'get', 'helper')).stdout).toContain(`not trusted  tools in ${cli.agent}:3`)
  })
})

describe('an agent created by stint agents', () => {
  const toolsOf = async (cli: TestCli, name: string) => (await cli.json('agents', 'get', name)).tools as unknown

  it('is trusted, and only that file is', async () => {
    const cli = createProject()
    await cli.run('agents', 'create', 'developer')
    await cli.run('agents', 'create', 'mine', '--set', 'tools=[read, bash]')
    expect(await cli.json('agents', 'get', 'developer')).toMatchObject({ source: 'project' })
    expect(await toolsOf(cli, 'mine')).toEqual(['read', 'bash'])
    expect(await toolsOf(cli, 'helper')).toEqual(['read'])
  })

  it('stays trusted when updated; a found one does not become trusted', async () => {
    const cli = createProject()
    await cli.run('agents', 'create', 'mine', '--set', 'tools=[read]')
    await cli.run('agents', 'update', 'mine', '--set', 'tools=[read, bash]')
    await cli.run('agents', 'update', 'helper', '--set', 'description=changed')
    expect(await toolsOf(cli, 'mine')).toEqual(['read', 'bash'])
    expect(await toolsOf(cli, 'helper')).toEqual(['read'])
  })

  it('is not trusted when created inside a run, and the command says so', async () => {
    const cli = createCli({ env: { STINT_RUN: 'run-1' } })
    const { stderr } = await cli.run('agents', 'create', 'mine', '--set', 'tools=[read, bash]')
    expect(stderr).toContain('created inside a run, so it is not trusted')
    expect(await toolsOf(cli, 'mine')).toEqual(['read'])
  })
})
