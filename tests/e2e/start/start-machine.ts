import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { REPOSITORY } from '../../house/repository.ts'
import { type ProgramResult, runProgram } from '../../house/run-program.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'

/** What the program loaded, besides Node's own modules. */
export interface Loaded {
  /** Files of Stint, from the top of the repository. */
  readonly files: readonly string[]
  /** Names of packages. */
  readonly packages: readonly string[]
  /** Modules of Node, e.g. `node:fs`. */
  readonly builtins: readonly string[]
}

/** A machine with its own home, on which the built program is started. */
export interface StartMachine {
  readonly folder: string
  readonly stintHome: string
  run(args: readonly string[], options?: StartOptions): ProgramResult
  /** Runs it and tells what it loaded. */
  record(args: readonly string[], options?: StartOptions): ProgramResult & Loaded
}

export interface StartOptions {
  readonly node?: string
  readonly nodeFlags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const RECORDER = pathToFileURL(fileURLToPath(new URL('record-modules.ts', import.meta.url))).href

export function createStartMachine(files: Readonly<Record<string, string>> = {}): StartMachine {
  const folder = createTemporaryFolder({ 'project/.keep': '', 'state/.keep': '', ...files })
  const stintHome = join(folder, 'state/stint')
  const run: StartMachine['run'] = (args, { node = process.execPath, nodeFlags = [], env = {} } = {}) =>
    runProgram(node, [...nodeFlags, BUILT_PROGRAM, ...args], {
      cwd: join(folder, 'project'),
      env: { PATH: process.env.PATH ?? '', HOME: folder, STINT_HOME: stintHome, ...env },
    })
  return {
    folder,
    stintHome,
    run,
    record(args, { nodeFlags = [], env = {}, ...options } = {}) {
      const record = join(folder, 'record.txt')
      rmSync(record, { force: true })
      const flags = ['--import', RECORDER, ...nodeFlags]
      const result = run(args, { ...options, nodeFlags: flags, env: { ...env, RECORD: record } })
      const addresses = readFileSync(record, 'utf8')
        .split('\n')
        .filter((address) => address !== RECORDER)
      return { ...result, ...sorted(addresses) }
    },
  }
}

function sorted(addresses: readonly string[]): Loaded {
  const paths = addresses.filter((address) => address.startsWith('file:')).map((address) => fileURLToPath(address))
  const isOfPackage = (path: string): boolean => path.includes('/node_modules/')
  return {
    files: paths.filter((path) => !isOfPackage(path)).map((path) => path.slice(REPOSITORY.length + 1)),
    packages: [...new Set(paths.filter(isOfPackage).map(packageOf))].sort(),
    builtins: addresses.filter((address) => address.startsWith('node:')),
  }
}

function packageOf(path: string): string {
  const [scope = '', name = ''] = path.slice(path.lastIndexOf('/node_modules/') + '/node_modules/'.length).split('/')
  return scope.startsWith('@') ? `${scope}/${name}` : scope
}
