import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../../../src/cli/syntax/create-program.ts'
import { createStartMachine } from './start-machine.ts'

/** The names of every command and group. */
function commandsOf(command: Command, words: readonly string[]): readonly string[] {
  return [words.join(' '), ...command.commands.flatMap((each) => commandsOf(each, [...words, each.name()]))]
}

const COMMANDS = commandsOf(
  createProgram(async () => {}, { out: () => {}, error: () => {}, columns: () => 80 }),
  [],
)
const MODEL_PACKAGES = ['@pydantic/genai-prices', 'undici']
// Whatever it is answered.
const ONE_CALL = `
  const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env
  const body = { model: 'claude-sonnet-4-5', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }
  await fetch(url + '/v1/messages', { method: 'POST', headers: { 'x-api-key': key }, body: JSON.stringify(body) })
`

describe('the program loads', () => {
  it('one more file for --version', () => {
    const { stdout, files, packages, builtins } = createStartMachine().record(['--version'])
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(files).toEqual(['dist/cli/stint.js', expect.stringMatching(/^dist\/cli\/version-.*\.js$/)])
    expect({ packages, builtins }).toEqual({ packages: [], builtins: [] })
  })

  it.each(COMMANDS)('no package, ledger, YAML or gateway for stint %s --help', (command) => {
    const words = command.split(' ').filter((word) => word !== '')
    const { status, stdout, stderr, files, packages, builtins } = createStartMachine().record([...words, '--help'])
    expect({ status, stderr, packages }).toEqual({ status: 0, stderr: '', packages: [] })
    expect(stdout).toContain(`Usage: ${['stint', ...words].join(' ')}`)
    expect(files.length).toBeGreaterThan(2)
    expect(files.filter((file) => !/^dist\/cli\/(stint|[a-z-]+-.{8})\.js$/.test(file))).toEqual([])
    expect(files.filter((file) => /\/(ledger|yaml|exec)-/.test(file))).toEqual([])
    expect(builtins.filter((name) => /^node:(sqlite|http|crypto)$/.test(name))).toEqual([])
  })

  it('no more for a usage error than for help', () => {
    const { status, packages, files } = createStartMachine().record(['statsu'])
    expect({ status, packages }).toEqual({ status: 2, packages: [] })
    expect(files.filter((file) => /\/(ledger|yaml|exec)-/.test(file))).toEqual([])
  })

  it.each([
    'status',
    'explain',
    'budget list',
    'budget set team:core --limit cost=5',
    'keys list',
    'requests',
    'approve 3f2a',
    'assumed list',
    'pause team:core',
    'raise team:core --limit cost=6',
    'stop 3f2a',
    'prune --older-than 1d',
    'verify',
    'show team:core',
    'tasks',
    'watch --once',
  ])('no package, YAML or part of exec for stint %s on a ledger', (command) => {
    const machine = createStartMachine()
    machine.run(['budget', 'set', 'team:core', '--limit', 'cost=100/day'])
    const { packages, files } = machine.record(command.split(' '))
    expect(packages).toEqual([])
    expect(files).toContainEqual(expect.stringContaining('/ledger-'))
    expect(files.filter((file) => /\/(yaml|exec)-/.test(file))).toEqual([])
  })

  it('YAML if there is a config', () => {
    const { packages, files } = createStartMachine({ 'project/stint.config.yaml': 'limits: { turns: 5 }\n' }).record([
      'status',
    ])
    expect(packages).toEqual([])
    expect(files).toContainEqual(expect.stringContaining('/yaml-'))
    expect(files.filter((file) => file.includes('/exec-'))).toEqual([])
  })

  it('neither prices, an HTTP client nor agents for a command without model calls', () => {
    const { status, packages, files } = createStartMachine().record(['exec', '--', 'true'])
    expect(status).toBe(0)
    expect(packages).toEqual(['tokenx'])
    expect(files.length).toBeLessThan(15)
  })

  it('both for a command with a model call', () => {
    const env = { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }
    const files = { 'project/call.mjs': ONE_CALL }
    const args = ['exec', '--limit', 'cost=1', '--', process.execPath, 'call.mjs']
    const { packages } = createStartMachine(files).record(args, { env })
    expect(packages).toEqual(expect.arrayContaining(MODEL_PACKAGES))
  })

  it("without Node's warning that SQLite is experimental; other warnings are shown", () => {
    const machine = createStartMachine()
    machine.run(['budget', 'set', 'team:core', '--limit', 'cost=100/day'])
    // As Node 22 says it.
    const experimental = 'SQLite is an experimental feature and might change at any time'
    const preload = (text: string): string =>
      `data:text/javascript,${encodeURIComponent(`
        const get = process.getBuiltinModule
        process.getBuiltinModule = (name) => {
          if (name === 'node:sqlite') process.emitWarning(${JSON.stringify(text)}, 'ExperimentalWarning')
          return get(name)
        }`)}`
    const quiet = machine.run(['status'], { nodeFlags: ['--import', preload(experimental)] })
    expect(quiet).toMatchObject({ status: 0, stderr: '' })
    expect(quiet.stdout).toContain('team:core')
    const other = machine.run(['status'], { nodeFlags: ['--import', preload('Something else')] })
    expect(other.stderr).toContain('ExperimentalWarning: Something else')
  })
})
