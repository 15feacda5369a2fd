// Looks for seeds that fail: npm run explore -- [--minutes 10]. Plays every property, history, simulation and kill with
// fresh seeds, round after round, and prints how to see each failure again. Exits 0 only if everything held.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededFiles } from './seeded-files.ts'

const ROOT = join(import.meta.dirname, '..')
const LARGEST_SEED = 2 ** 31
const VITEST = ['npx', 'vitest', 'run', '--project', 'process', '--project', 'unit']

interface Part {
  readonly name: string
  command(seed: number): readonly string[]
  /** For a part that takes its seed from the environment. */
  readonly variable?: string
  /** What of the output names the files of a smaller command that shows the failure again. */
  readonly smaller?: RegExp
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const minutes = Number(values.minutes)
if (!(minutes > 0 && minutes <= 24 * 60)) {
  console.error(`--minutes ${values.minutes}: a number above 0, at most a day, e.g. npm run explore -- --minutes 20`)
  process.exit(2)
}

const files = seededFiles(ROOT)
const PARTS: readonly Part[] = [
  {
    name: 'properties and histories',
    command: () => [...VITEST, ...files],
    variable: 'STINT_TEST_SEED',
    smaller: /FAIL .*?([\w./-]+\.test\.ts)/g,
  },
  { name: 'simulation in memory', command: (seed) => sim(seed, 'memory', 200) },
  { name: 'simulation on SQLite', command: (seed) => sim(seed, 'sqlite', 20) },
  {
    name: 'kills',
    command: (seed) => ['npm', 'run', 'faults', '--', '--kills', '40', '--seed', String(seed)],
  },
]

function sim(seed: number, store: string, seeds: number): readonly string[] {
  return ['npm', 'run', 'sim', '--', '--store', store, '--first', String(seed), '--seeds', String(seeds)]
}

const folder = mkdtempSync(join(tmpdir(), 'stint-explore-'))
const untilMs = performance.now() + minutes * 60_000
const failures: string[] = []
let played = 0
while (performance.now() < untilMs) {
  for (const part of PARTS) {
    const seed = randomInt(1, LARGEST_SEED)
    const { hasEnded, held, output } = await play(part, seed)
    if (!hasEnded) break
    played++
    console.log(`${held ? 'held  ' : 'FAILED'}  ${part.name}, seed ${seed}`)
    if (!held) noteFailure(part, seed, output)
  }
}

console.log(`\n${played} parts played, ${failures.length} failed.`)
for (const failure of failures) console.log(failure)
if (failures.length === 0) rmSync(folder, { recursive: true, force: true })
process.exitCode = failures.length === 0 ? 0 : 1

/** Runs one part, until its end or until the time is up. */
function play(part: Part, seed: number): Promise<{ hasEnded: boolean; held: boolean; output: string }> {
  const [program, ...args] = part.command(seed)
  // A group of its own, so that nothing of it is left when the time is up.
  const child = spawn(program!, args, { cwd: ROOT, env: environment(part, seed), detached: true })
  let output = ''
  let isTimeUp = false
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const timer = setTimeout(() => {
    isTimeUp = true
    process.kill(-child.pid!, 'SIGKILL')
  }, untilMs - performance.now())
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => {
      clearTimeout(timer)
      resolve({ hasEnded: !isTimeUp, held: exitCode === 0, output })
    })
  })
}

/** What a failure said is kept in a file; how to see it again is printed at the end. */
function noteFailure(part: Part, seed: number, output: string): void {
  const file = join(folder, `${failures.length + 1}.txt`)
  writeFileSync(file, output)
  const smaller = part.smaller === undefined ? [] : [...output.matchAll(part.smaller)].map((match) => match[1]!)
  const command = smaller.length === 0 ? part.command(seed) : [...VITEST, ...new Set(smaller)]
  const variable = part.variable === undefined ? '' : `${part.variable}=${seed} `
  const places = [...new Set(output.match(/^.*(?:FAIL |seed:|again:).*$/gm) ?? [])].slice(0, 20)
  failures.push([`\n${variable}${command.join(' ')}`, ...places, `All of it: ${file}`].join('\n  '))
}

function environment({ variable }: Part, seed: number): NodeJS.ProcessEnv {
  return { ...process.env, NO_COLOR: '1', ...(variable === undefined ? {} : { [variable]: String(seed) }) }
}
