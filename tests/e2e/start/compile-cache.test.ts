import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gte } from 'semver'
import { describe, expect, it } from 'vitest'
import { acceptedVersionOf, findMachineNode } from '../../house/machine-node.ts'
import { createStartMachine, type StartMachine } from './start-machine.ts'

/** A machine with a ledger and an empty cache. */
function createUsedMachine(node = process.execPath): StartMachine & { readonly cache: string } {
  const machine = createStartMachine()
  const env = { NODE_DISABLE_COMPILE_CACHE: '1' }
  const { status, stderr } = machine.run(['budget', 'set', 'team:core', '--limit', 'cost=100/day'], { node, env })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return { ...machine, cache: join(machine.stintHome, 'cache') }
}

const filesIn = (folder: string): readonly string[] => readdirSync(folder, { recursive: true }).map(String).sort()

describe('the compile cache of the program', () => {
  it('is in STINT_HOME, readable only by its user, and used by the next command', () => {
    const { run, cache } = createUsedMachine()
    expect(existsSync(cache)).toBe(false)
    const first = run(['status'])
    expect(first).toMatchObject({ status: 0, stderr: '' })
    expect(statSync(cache).mode & 0o777).toBe(0o700)
    const kept = filesIn(cache)
    expect(kept.length).toBeGreaterThan(4)
    expect(run(['status'])).toEqual(first)
    expect(filesIn(cache)).toEqual(kept)
    // Node reports on stderr which of them it uses.
    const { stderr } = run(['status'], { env: { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' } })
    expect(stderr).toMatch(/cache for .*ledger-.* was accepted/)
  })

  it('is not created without a home, nor by --version', () => {
    const { run, folder, stintHome } = createStartMachine()
    for (const args of [['--version'], ['--help'], ['status']])
      expect(run(args)).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(stintHome)).toBe(false)
    mkdirSync(stintHome, { mode: 0o700 })
    run(['--version'])
    expect(readdirSync(stintHome)).toEqual([])
    expect(readdirSync(folder).sort()).toEqual(['project', 'state'])
  })

  it.each(['/proc/x', '/dev/null'])('is skipped if the home is invalid: %s', (home) => {
    const { run } = createStartMachine()
    const env = { STINT_HOME: home }
    expect(run(['--version'], { env })).toMatchObject({ status: 0, stderr: '' })
    const status = run(['status'], { env })
    const stdout = `There is no ledger at ${home}/ledger.db yet (the default).\n`
    expect(status).toEqual({ status: 0, stdout, stderr: '' })
    const made = run(['budget', 'set', 'team:core', '--limit', 'cost=1'], { env })
    expect(made).toMatchObject({ status: 125, stdout: '' })
    expect(made.stderr).toContain(home)
  })

  it("is turned off and moved by Node's own variables", () => {
    const { run, cache, folder } = createUsedMachine()
    run(['status'], { env: { NODE_DISABLE_COMPILE_CACHE: '1' } })
    const elsewhere = join(folder, 'elsewhere')
    run(['status'], { env: { NODE_COMPILE_CACHE: elsewhere } })
    expect([existsSync(cache), existsSync(elsewhere)]).toEqual([false, true])
  })

  it('is not used by the code that verifies a ledger next to it', () => {
    const { run, cache } = createUsedMachine()
    expect(run(['verify'])).toMatchObject({ status: 0, stderr: '' })
    expect(existsSync(cache)).toBe(false)
    run(['status'])
    const { stderr } = run(['--json', 'verify'], { env: { NODE_DEBUG_NATIVE: 'COMPILE_CACHE' } })
    expect(stderr).not.toContain('accepted')
  })

  it('is ignored if others can write to it', () => {
    const { run, cache } = createUsedMachine()
    mkdirSync(cache)
    chmodSync(cache, 0o777)
    expect(run(['status'])).toMatchObject({ status: 0, stderr: '' })
    expect(filesIn(cache)).toEqual([])
  })

  it('may be damaged', () => {
    const { run, cache } = createUsedMachine()
    const sound = run(['status'])
    for (const file of filesIn(cache).map((name) => join(cache, name))) {
      if (statSync(file).isFile()) writeFileSync(file, 'not what was compiled')
    }
    expect(run(['status'])).toEqual(sound)
  })

  it('is not needed by the Node of this machine', () => {
    const node = findMachineNode(process.env.PATH ?? '')
    const { run, cache } = createUsedMachine(node)
    for (const command of [['--version'], ['--help'], ['status']]) {
      expect(run(command, { node })).toMatchObject({ status: 0, stderr: '' })
    }
    expect(existsSync(cache)).toBe(gte(acceptedVersionOf(node), '22.8.0'))
  })
})
