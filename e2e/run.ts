// npm run e2e [-- claude-code | pi | codex | opencode]: real agent programs under `stint exec`, against the scripted provider on
// loopback. They are large, so they are installed only here, and only when this is run.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = import.meta.dirname
const PROGRAMS = ['claude-code', 'pi', 'codex', 'opencode']
const STAMP = join(FOLDER, 'node_modules/.installed')

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !PROGRAMS.includes(name))
if (unknown.length > 0) {
  console.error(`No such program: ${unknown.join(', ')}. There are ${PROGRAMS.join(', ')}.`)
  process.exit(2)
}

const lock = createHash('sha256')
  .update(readFileSync(join(FOLDER, 'package-lock.json')))
  .digest('hex')
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== lock) {
  run('npm', ['ci', '--ignore-scripts'])
  // The one install script that is needed: it puts the program of this platform into its place.
  run(process.execPath, ['node_modules/@anthropic-ai/claude-code/install.cjs'])
  writeFileSync(STAMP, lock)
}
const vitest = join(FOLDER, '../node_modules/vitest/vitest.mjs')
run(process.execPath, [vitest, 'run', '--config', 'vitest.config.ts', ...chosen.map((name) => `${name}.test.ts`)])

function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: FOLDER, stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}
