import { execFileSync } from 'node:child_process'
import { hostname } from 'node:os'
import type { Processes, ProcessSighting } from './processes.ts'
import { sightingWithoutStart } from './sighting-without-start.ts'

/** Runs a program and returns its output; `null` if it fails or is missing. */
export type AskProgram = (program: string, args: readonly string[]) => string | null

/** The processes of macOS and the BSDs, from `ps`; on Windows only whether the pid is in use. */
export function createOtherProcesses(ask: AskProgram = askProgram): Processes {
  return {
    host: hostname(),
    pidNamespace: '',
    boot: ask('sysctl', ['-n', 'kern.bootsessionuuid']) ?? ask('sysctl', ['-n', 'kern.boottime']) ?? '',
    look: (pid) => look(pid, ask),
  }
}

function look(pid: number, ask: AskProgram): ProcessSighting {
  const line = ask('ps', ['-o', 'stat=,lstart=', '-p', String(pid)])
  const [, state = '', start = ''] = /^(\S+)\s+(\S.*)$/.exec(line ?? '') ?? []
  if (start === '') return sightingWithoutStart(pid, { kind: 'running', start: '' })
  return state.startsWith('Z') ? { kind: 'gone' } : { kind: 'running', start: start.replaceAll(/\s+/g, ' ') }
}

const ASK_TIMEOUT_MS = 2000
const LONGEST_OUTPUT = 16 * 1024 * 1024

// A fixed language and time zone, so that every user sees the same start time.
export function askProgram(program: string, args: readonly string[]): string | null {
  try {
    const text = execFileSync(program, [...args], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ASK_TIMEOUT_MS,
      maxBuffer: LONGEST_OUTPUT,
    }).trim()
    return text === '' ? null : text
  } catch {
    return null
  }
}
