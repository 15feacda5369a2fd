import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCli } from '../cli.fixture.ts'

describe('the config', () => {
  const storeOf = async (cli: ReturnType<typeof createCli>, ...flags: readonly string[]) =>
    (await cli.json('status', ...flags)).store as unknown

  it('chooses the store: default < user < project < environment < flag', async () => {
    const cli = createCli()
    const sqlite = (file: string) => ({ kind: 'sqlite', file })
    expect(await storeOf(cli)).toEqual(sqlite(cli.ledgerFile))
    cli.write('home/.config/stint/config.yaml', 'store: sqlite:~/mine.db\n')
    expect(await storeOf(cli)).toEqual(sqlite(join(cli.folder, 'home/mine.db')))
    cli.write('project/stint.config.yml', 'store: sqlite:./state/ours.db\n')
    expect(await storeOf(cli, '--trust')).toEqual(sqlite(join(cli.folder, 'project/state/ours.db')))
    expect(await storeOf(cli, '--store', 'sqlite:here.db')).toEqual(sqlite(join(cli.projectFolder, 'here.db')))
    const inEnvironment = createCli({ env: { STINT_STORE: 'memory:' } })
    inEnvironment.write('project/stint.config.json', '{ "store": "sqlite:x.db" }')
    expect(await storeOf(inEnvironment, '--trust')).toEqual({ kind: 'memory' })
    expect(await storeOf(inEnvironment, '--store', 'sqlite:/x.db')).toEqual(sqlite('/x.db'))
  })

  it('keeps the default ledger in STINT_HOME', async () => {
    const cli = createCli({ env: { STINT_HOME: '/somewhere' } })
    expect(await storeOf(cli)).toEqual({ kind: 'sqlite', file: '/somewhere/ledger.db' })
  })

  it('reads the user file from XDG_CONFIG_HOME', async () => {
    const cli = createCli()
    const file = cli.write('xdg/stint/config.yaml', 'store: "memory:"\n')
    const other = createCli({ env: { XDG_CONFIG_HOME: join(file, '../..') } })
    expect(await storeOf(other)).toEqual({ kind: 'memory' })
  })

  it('takes the nearest project file, and --config instead of it', async () => {
    const cli = createCli()
    cli.write('stint.config.yaml', 'store: sqlite:far.db\n')
    cli.write('project/stint.config.yaml', 'store: sqlite:near.db\n')
    cli.write('other.yaml', 'store: "memory:"\n')
    expect(await storeOf(cli, '--trust')).toMatchObject({ file: join(cli.folder, 'project/near.db') })
    expect(await storeOf(cli, '--config', '../../other.yaml')).toEqual({ kind: 'memory' })
    expect(await cli.run('status', '--config', 'gone.yaml')).toMatchObject({ exitCode: 2 })
  })

  it('refuses two files side by side', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', '')
    cli.write('project/stint.config.json', '{}')
    const { exitCode, stderr } = await cli.run('status')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('stint.config.yaml and stint.config.json')
  })

  it('takes a file of comments for one that says nothing', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', '# nothing yet\n')
    expect(await cli.run('status')).toMatchObject({ exitCode: 0 })
  })

  it('lists all that is wrong, in both files and the environment, each with file, line, field, value and a valid form', async () => {
    const cli = createCli({ env: { STINT_LIMITS: 'turns=lots' } })
    const user = cli.write('home/.config/stint/config.yaml', 'limits:\n  mesage: 24\nlog: 5\n')
    const project = cli.write(
      'project/stint.config.yaml',
      'stor: "memory:"\nstore: sqlit:x\nbudgets:\n  team:core:\n    limits:\n      cost: -1\nprices:\n  m: { input: 1 }\n',
    )
    const { exitCode, stdout, stderr } = await cli.run('status')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    for (const [place, text] of [
      [`limits.mesage in ${user}:2`, 'Did you mean "message"?'],
      [`log in ${user}:3`, '5 is no log'],
      [`stor in ${project}:1`, 'Did you mean "store"?'],
      [`store in ${project}:2`, 'Did you mean "sqlite:x"?'],
      [`budgets."team:core".limits.cost in ${project}:6`, '-1'],
      [`prices["m"].output in ${project}:8`, 'is missing'],
      ['STINT_LIMITS', '"lots"'],
    ] as const) {
      const line = stderr.split('\n').find((each) => each.includes(place))
      expect(line, place).toContain(text)
    }
    expect(stderr.trimEnd().split('\n')).toHaveLength(8)
    const inJson = JSON.parse((await cli.run('status', '--json')).stderr)
    expect(inJson.error).toMatchObject({ code: 'invalid_config', problems: { length: 7 } })
  })

  it('fits its problems on one screen', async () => {
    const cli = createCli()
    cli.write('project/stint.config.yaml', Array.from({ length: 60 }, (_, index) => `wrong${index}: 1\n`).join(''))
    const { stderr } = await cli.run('status')
    expect(stderr.split('\n').length).toBeLessThan(20)
    expect(stderr).toContain('and 48 more')
  })

  it.each(['postgres://x', 'sqlite:', './ledger.db', 'memory', ''])('refuses the store %j', async (address) => {
    const { exitCode, stderr } = await createCli().run('status', '--store', address)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--store')
    expect(stderr).toContain('sqlite:PATH')
  })
})
