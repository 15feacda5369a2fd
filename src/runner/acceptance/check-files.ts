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

// File systems store coarser times than ours, and some use another clock.
const COARSENESS_MS = 2_000
const MOST_NAMED = 10
const GIT_TIMEOUT_MS = 30_000
const MOST_OUTPUT_BYTES = 64 * 1024

/** What the files contradict in a report: unchanged files listed as changed, and staged files. */
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
    ...(staged.length === 0 ? [] : [`noStagedFiles is not true. Staged in git: ${named(staged)}.`]),
    ...(unchanged.length === 0
      ? []
      : [
          `changedFiles lists files that were not changed: ${named(unchanged)}. List plain paths of files that you changed.`,
        ]),
  ]
}

/**
 * Whether a file was touched since the run began, by its inode's change time, which no program can set back. For a
 * deleted file, its folder counts.
 */
function isChanged({ workingFolder, startedAtMs }: WorkPlace, path: string): boolean {
  const file = resolve(workingFolder, path)
  const within = relative(workingFolder, file)
  // Outside of the working folder there is only the agent's own claim.
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

// An agent could write to this folder, so nothing that its git settings name is run or fetched.
const HARMLESS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager']
const STAGED = ['diff', '--cached', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all']

/** Empty without a repository or without git. */
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
