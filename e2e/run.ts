// npm run e2e [-- claude-code | pi | codex | opencode]: real agent programs under `stint exec`, against the scripted provider on
// loopback. They are large, so they are installed only here, and only when this is run.
// npm run e2e -- compare/max-budget-usd | compare/langchain | compare/pi-subagents: their own limits beside Stint's.
// npm run e2e -- small-budgets [--programs=pi,serve] [--variants=cached,long] [--budgets=0.2,0.5]: the sweep, half an hour.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = import.meta.dirname
const PROGRAMS = ['claude-code', 'pi', 'codex', 'opencode']
const COMPARISONS = ['compare/max-budget-usd', 'compare/langchain', 'compare/pi-subagents']
const PEERS = join(FOLDER, 'compare')

const SWEEP = 'small-budgets'
const SWEEP_OPTIONS: Readonly<Record<string, string>> = {
  '--programs': 'SMALL_BUDGETS_PROGRAMS',
  '--variants': 'SMALL_BUDGETS_VARIANTS',
  '--budgets': 'SMALL_BUDGETS',
}

const given = process.argv.slice(2)
const options = given.filter((word) => word.startsWith('--')).map((word) => word.split('='))
const chosen = given.filter((word) => !word.startsWith('--'))
const unknown = [
  ...chosen.filter((name) => ![...PROGRAMS, ...COMPARISONS, SWEEP].includes(name)),
  ...options
    .map(([name = '']) => name)
    .filter((name) => !Object.hasOwn(SWEEP_OPTIONS, name) || !chosen.includes(SWEEP)),
]
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are ${[...PROGRAMS, ...COMPARISONS].join(', ')} and ${SWEEP}.`)
  process.exit(2)
}
for (const [name = '', value = ''] of options) process.env[SWEEP_OPTIONS[name]!] = value

// LangChain needs none of the programs.
if (chosen.length === 0 || chosen.some((name) => name !== 'compare/langchain')) {
  // The one install script that is needed: it puts the program of this platform into its place.
  install(FOLDER, () => run(process.execPath, ['node_modules/@anthropic-ai/claude-code/install.cjs']))
}
if (chosen.some((name) => COMPARISONS.includes(name))) install(PEERS)
const vitest = join(FOLDER, '../node_modules/vitest/vitest.mjs')
// The sweep and the comparisons only where they are asked for.
const files = (chosen.length === 0 ? PROGRAMS : chosen).map((name) => `${name}.test.ts`)
run(process.execPath, [vitest, 'run', '--config', 'vitest.config.ts', ...files])

/** Installs what the lock of a folder names, unless that is there. */
function install(folder: string, afterwards = () => {}): void {
  const stamp = join(folder, 'node_modules/.installed')
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  run('npm', ['ci', '--ignore-scripts'], folder)
  afterwards()
  writeFileSync(stamp, lock)
}

function run(command: string, args: readonly string[], cwd = FOLDER): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}
