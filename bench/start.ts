// How fast the command line starts: npm run bench:start. Its CPU beside that of an empty module on the same Node, in
// turns, with a warm compile cache. Ratios of one run are judged; milliseconds are only printed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { BUILT_PROGRAM } from '../tests/house/built-program.ts'
import { REPOSITORY } from '../tests/house/repository.ts'
import { staleBuild } from '../tests/setup/stale-build.ts'
import { childCpuMs } from './child-cpu.ts'
import { conclude, judge } from './judge.ts'
import { percentile } from './percentiles.ts'
import { printTable } from './table.ts'

interface Subject {
  readonly name: string
  readonly args: readonly string[]
  /** How many times the CPU of an empty module it may take; `null`: only shown. */
  readonly atMost: number | null
}

const EMPTY = 'empty.mjs'
const SUBJECTS: readonly Subject[] = [
  { name: 'stint --version', args: ['--version'], atMost: 1.6 },
  { name: 'stint --help', args: ['--help'], atMost: 2.5 },
  { name: 'stint status', args: ['status'], atMost: 3.5 },
  { name: 'stint exec -- true (with `true`)', args: ['exec', '--', 'true'], atMost: 6 },
  { name: 'stint run, scripted', args: ['run', 'plain', 'Say hello.', '--model', 'scripted/play.json'], atMost: null },
]
const ROUNDS = 9

function buildIfStale(): void {
  const reason = staleBuild()
  if (reason === null) return
  console.log(`${reason}: building it`)
  const { status } = spawnSync('npm', ['run', 'build', '--', '--log-level', 'error'], {
    cwd: REPOSITORY,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('dist/ could not be built: see above.')
}

/** A machine of its own, with a small ledger. */
function prepare(folder: string): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const files = {
    [`project/${EMPTY}`]: '',
    'project/play.json': JSON.stringify([{ text: 'Hello.' }]),
    'project/.stint/agents/plain.md': '---\nname: plain\ndescription: says hello\n---\nSay hello.\n',
    'home/.keep': '',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const home = join(folder, 'home')
  const env = { PATH: process.env.PATH, HOME: home, STINT_HOME: join(home, 'stint') }
  const place = { cwd: join(folder, 'project'), env }
  const limits = ['--limit', 'cost=100/day', '--limit', 'tokens=1m/day']
  childCpuMs([process.execPath, BUILT_PROGRAM, 'budget', 'set', 'team:core', ...limits], place)
  return place
}

function measure(folder: string): void {
  const place = prepare(folder)
  const commands = [[EMPTY], ...SUBJECTS.map(({ args }) => [BUILT_PROGRAM, ...args])]
  const measured: number[][] = commands.map(() => [])
  // The first round is not counted: it fills the cache.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, command] of commands.entries()) {
      const ms = childCpuMs([process.execPath, ...command], place)
      if (round > 0) measured[index]!.push(ms)
    }
  }
  const [emptyMs, ...subjectsMs] = measured.map((each) => percentile(each, 50))
  const ratios = subjectsMs.map((ms) => ms / emptyMs!)
  printTable(
    `CPU to start on Node ${process.versions.node}, medians of ${ROUNDS}`,
    ['', 'ms', 'of empty'],
    [
      ['an empty module', emptyMs!.toFixed(1), '1.00×'],
      ...SUBJECTS.map(({ name }, index) => [name, subjectsMs[index]!.toFixed(1), `${ratios[index]!.toFixed(2)}×`]),
    ],
  )
  const judged = SUBJECTS.flatMap(({ name, atMost }, index) =>
    atMost === null
      ? []
      : [
          {
            sentence: (times: string) => `${name} takes ${times} the CPU of an empty module`,
            value: ratios[index]!,
            atMost,
          },
        ],
  )
  conclude(judged.map(judge))
}

buildIfStale()
const folder = mkdtempSync(join(tmpdir(), 'stint-bench-start-'))
try {
  measure(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
