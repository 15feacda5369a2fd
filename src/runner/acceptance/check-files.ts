import { lstatSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { Acceptance } from '../../agents/index.ts'
import { runCommand } from '../../system/processes/run-command.ts'
import type { AcceptanceReport } from './acceptance-result.ts'
import { evidenceNeeded } from './contract-text.ts'

/** Where the work was done, and since when. */
export interface WorkPlace {
  readonly workingFolder: string
  readonly startedAtMs: number
  /** For git. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

// File systems keep coarser time than we do, and some have a clock of their own.
const COARSENESS_MS = 2_000
const MOST_NAMED = 10
const GIT_TIMEOUT_MS = 30_000
const MOST_OUTPUT_BYTES = 64 * 1024

/** What of a report is not so, as far as files can tell: files that nothing has changed, and staged ones. */
export async function checkFiles(
  acceptance: Acceptance,
  report: AcceptanceReport,
  place: WorkPlace,
): Promise<readonly string[]> {
  const kinds = evidenceNeeded(acceptance)
  const staged = kinds.includes('no-staged-files') ? await stagedFiles(place) : []
  const claimed = kinds.includes('changed-files') ? (report.changedFiles ?? []) : []
  const unchanged = claimed.filter((path) => !isChanged(place, path))
  return [
    ...(staged.length === 0 ? [] : [`noStagedFiles is not so. Staged in git: ${named(staged)}.`]),
    ...(unchanged.length === 0
      ? []
      : [
          `changedFiles has what nothing has changed: ${named(unchanged)}. List plain paths of files that you changed.`,
        ]),
  ]
}

/**
 * Whether anything has touched a file since the run began: by the time of its inode, which no program can set back. One
 * that is gone has touched its folder.
 */
function isChanged({ workingFolder, startedAtMs }: WorkPlace, path: string): boolean {
  const file = resolve(workingFolder, path)
  const within = relative(workingFolder, file)
  // Outside of its folder the agent's word is all there is.
  if (within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within)) return true
  const stats = statsOf(file) ?? nearestFolder(workingFolder, file)
  return stats === null || stats.ctimeMs >= startedAtMs - COARSENESS_MS
}

function nearestFolder(workingFolder: string, file: string): Stats | null {
  for (let at = dirname(file); at.startsWith(workingFolder); at = dirname(at)) {
    const stats = statsOf(at)
    if (stats !== null) return stats
  }
  return null
}

function statsOf(file: string): Stats | null {
  try {
    return lstatSync(file)
  } catch {
    return null
  }
}

// Of a folder that an agent could write to: nothing that its settings name is run or fetched.
const HARMLESS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager']
const STAGED = ['diff', '--cached', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all']

/** None where there is no repository, or no git. */
async function stagedFiles({ workingFolder: cwd, env, signal }: WorkPlace): Promise<readonly string[]> {
  const { exit, output } = await runCommand({
    command: ['git', ...HARMLESS, ...STAGED],
    cwd,
    env: { ...env, GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' },
    timeoutMs: GIT_TIMEOUT_MS,
    maxOutputBytes: MOST_OUTPUT_BYTES,
    signal,
  })
  return exit === 0 ? output.split('\0').filter((name) => name !== '') : []
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_NAMED).map((path) => path.slice(0, 200))
  return [...shown, ...(paths.length > shown.length ? [`and ${paths.length - shown.length} more`] : [])].join(', ')
}
