import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createMachine, type TestMachine } from './config.fixture.ts'
import type { InvalidConfigError } from './invalid-config-error.ts'
import type { ConfigFlags } from './load-config.ts'

describe('the config', () => {
  const storeOf = async (machine: TestMachine, flags?: ConfigFlags) => (await machine.load(flags)).store.address
  const sqlite = (file: string) => ({ kind: 'sqlite', file })

  it('chooses the store: default < user < project < environment < flag', async () => {
    const machine = createMachine()
    expect(await storeOf(machine)).toEqual(sqlite(join(machine.homeFolder, '.local/state/stint/ledger.db')))
    machine.write('home/.config/stint/config.yaml', 'store: sqlite:~/mine.db\n')
    expect(await storeOf(machine)).toEqual(sqlite(join(machine.folder, 'home/mine.db')))
    machine.write('project/stint.config.yml', 'store: sqlite:./state/ours.db\n')
    expect(await storeOf(machine, { trust: true })).toEqual(sqlite(join(machine.folder, 'project/state/ours.db')))
    expect(await storeOf(machine, { store: 'sqlite:here.db' })).toEqual(sqlite(join(machine.workingFolder, 'here.db')))
    const withVariable = createMachine({ STINT_STORE: 'memory:' })
    withVariable.write('project/stint.config.json', '{ "store": "sqlite:x.db" }')
    expect(await storeOf(withVariable, { trust: true })).toEqual({ kind: 'memory' })
    expect(await storeOf(withVariable, { store: 'sqlite:/x.db' })).toEqual(sqlite('/x.db'))
  })

  it('keeps the default ledger in STINT_HOME', async () => {
    expect(await storeOf(createMachine({ STINT_HOME: '/somewhere' }))).toEqual(sqlite('/somewhere/ledger.db'))
  })

  it('reads the user file from XDG_CONFIG_HOME', async () => {
    const file = createMachine().write('xdg/stint/config.yaml', 'store: "memory:"\n')
    expect(await storeOf(createMachine({ XDG_CONFIG_HOME: join(file, '../..') }))).toEqual({ kind: 'memory' })
  })

  it('uses the nearest project file, or --config instead of it', async () => {
    const machine = createMachine()
    machine.write('stint.config.yaml', 'store: sqlite:far.db\n')
    machine.write('project/stint.config.yaml', 'store: sqlite:near.db\n')
    machine.write('other.yaml', 'store: "memory:"\n')
    expect(await storeOf(machine, { trust: true })).toMatchObject({ file: join(machine.folder, 'project/near.db') })
    expect(await storeOf(machine, { config: '../../other.yaml' })).toEqual({ kind: 'memory' })
    await expect(machine.load({ config: 'gone.yaml' })).rejects.toMatchObject({ code: 'invalid_config' })
  })

  it('takes a setting from the later of two files, and merges named settings', async () => {
    const machine = createMachine()
    machine.write(
      'home/.config/stint/config.yaml',
      'team: core\nuser: ann\nlog: a.log\nmodels: { quick: haiku, x: y }\n',
    )
    machine.write('project/stint.config.yaml', 'team: web\nlog: false\nmodels: { quick: sonnet }\n')
    const config = await machine.load({ trust: true })
    expect(config).toMatchObject({ team: 'web', user: 'ann', log: null })
    expect([...config.models]).toEqual([
      ['quick', 'sonnet'],
      ['x', 'y'],
    ])
  })

  it('refuses two files next to each other', async () => {
    const machine = createMachine()
    machine.write('project/stint.config.yaml', '')
    machine.write('project/stint.config.json', '{}')
    await expect(machine.load()).rejects.toThrow('stint.config.yaml and stint.config.json')
  })

  it('accepts a file with only comments', async () => {
    const machine = createMachine()
    machine.write('project/stint.config.yaml', '# nothing yet\n')
    expect(await machine.load()).toMatchObject({ files: [{ layer: 'project' }], leftOut: [] })
  })

  it('lists every problem, in both files and the environment, each with file, line, field, value and a valid form', async () => {
    const machine = createMachine({ STINT_LIMITS: 'turns=lots' })
    const user = machine.write('home/.config/stint/config.yaml', 'limits:\n  mesage: 24\nlog: 5\n')
    const project = machine.write(
      'project/stint.config.yaml',
      'stor: "memory:"\nstore: sqlit:x\nbudgets:\n  team:core:\n    limits:\n      cost: -1\n  user:ann: {}\nprices:\n  m: { input: 1 }\n',
    )
    const error = await machine.load().catch((thrown: InvalidConfigError) => thrown)
    const { message, problems } = error as InvalidConfigError
    for (const [place, text] of [
      [`limits.mesage in ${user}:2`, 'Did you mean "message"?'],
      [`log in ${user}:3`, '5 is not a log'],
      [`stor in ${project}:1`, 'Did you mean "store"?'],
      [`store in ${project}:2`, 'Did you mean "sqlite:x"?'],
      [`budgets."team:core".limits.cost in ${project}:6`, '-1'],
      [`budgets."user:ann".limits in ${project}:7`, 'is missing'],
      [`prices["m"].output in ${project}:9`, 'is missing'],
      ['STINT_LIMITS', '"lots"'],
    ] as const) {
      const line = message.split('\n').find((each) => each.includes(place))
      expect(line, place).toContain(text)
    }
    expect(problems).toHaveLength(8)
  })

  it('fits its problems on one screen', async () => {
    const machine = createMachine()
    const lines = Array.from({ length: 60 }, (_, index) => `wrong${index}: 1\n`)
    machine.write('project/stint.config.yaml', lines.join(''))
    const { message } = (await machine.load().catch((thrown: Error) => thrown)) as Error
    expect(message.split('\n').length).toBeLessThan(20)
    expect(message).toContain('and 48 more')
  })

  it.each(['sqlite:', './ledger.db', 'memory', ''])('refuses the store %j', async (store) => {
    const refusal = expect(createMachine().load({ store })).rejects
    await refusal.toMatchObject({ code: 'invalid_option', message: expect.stringMatching(/--store.*sqlite:PATH/) })
  })

  it.each([
    ['postgres:/ann:x@db/agents', /with two slashes after the colon/],
    ['postgres://db', /with the name of a database at its end/],
    ['postgres://ann:x@db:5432/', /with the name of a database at its end/],
    ['postgres://ann:x@/agents', /with a host, a port up to 65535/],
    ['postgres://ann:x@db:99999/agents', /with a host, a port up to 65535/],
    ['postgres://ann:12/x@db/agents', /in the password \/ as %2F/],
    ['postgres://ann:x%zz@db/agents', /% as %25/],
    ['postgre://ann:x@db/agents', /did you mean "postgres:\/\/ann:\*\*\*@db\/agents"/],
  ])('refuses the store %j with what is wrong with it', async (store, message) => {
    const refusal = expect(createMachine().load({ store })).rejects
    await refusal.toMatchObject({ code: 'invalid_option', message: expect.stringMatching(message) })
  })

  it.each([
    'postgres:ann:s3cret@db/agents',
    'postgres://ann:12/s3cret@db/agents',
    'postgres://ann:pa@12/s3cret@db/agents',
    'postgres://ann:s3cret%zz@db/agents',
    'postgres:/ann:s3cret@db/agents',
    'postgres//ann:s3cret@db/agents',
    'postgre://ann:s3cret@db/agents',
    'postgres://ann:s3cret@db',
    'postgres://ann:s3cret',
    'postgres://ann:pa/s3cret@db/agents',
    'postgres://ann:pa#s3cret@db/agents',
    'postgres://ann:pa@s3cret@db:x/agents',
    'postgres://ann:pa s3cret@db/agents',
    'ann:s3cret@db/agents',
    'postgres:// ann@db/agents?sslmode=require&password=s3cret&x=1',
  ])('refuses the store %j without showing its password', async (store) => {
    const error: unknown = await createMachine()
      .load({ store })
      .catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'invalid_option' })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('s3cret')
  })
})
