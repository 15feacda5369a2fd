import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { MeterUsage } from '../../../src/core/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { createTemporaryFolder } from '../../house/temporary-folder.ts'

/** The program that any test may run under limits. */
export const ANY_AGENT: readonly string[] = [process.execPath, join(import.meta.dirname, 'any-agent.mjs')]

export interface ExecEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** What `--json` wrote; `null` if nothing, which a test then says. */
  readonly report: ReportFile
}

/** The file of `--json`, as far as tests use fields of it by themselves. */
export interface ReportFile {
  readonly id: string
  readonly path: string
  readonly durationMs: number
  readonly status: string
  readonly reason: string | null
  readonly usage: Readonly<Record<string, MeterUsage>>
}

export interface StartedExec {
  readonly child: ChildProcess
  /** What it has written so far. */
  said(): string
  readonly ended: Promise<ExecEnd>
}

/** The command line on a machine of its own: a home, a project, a ledger. */
export interface ExecMachine {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  start(args: readonly string[], env?: Readonly<Record<string, string>>): StartedExec
  /** `stint exec ARGS --json FILE -- COMMAND`, to its end. */
  exec(args: readonly string[], command: readonly string[], env?: Readonly<Record<string, string>>): Promise<ExecEnd>
}

export function createMachine(own: Readonly<Record<string, string>> = {}): ExecMachine {
  const folder = createTemporaryFolder({ 'project/.keep': '', 'state/.keep': '' })
  const report = join(folder, 'report.json')
  const env = { PATH: process.env.PATH ?? '', HOME: folder, STINT_HOME: join(folder, 'state/stint'), ...own }
  const start: ExecMachine['start'] = (args, more = {}) => {
    const child = spawn(process.execPath, [BUILT_PROGRAM, ...args], {
      cwd: join(folder, 'project'),
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    const ended = new Promise<ExecEnd>((resolve) => {
      child.once('close', (exitCode, signal) => {
        const written = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
        resolve({ exitCode, signal, stdout, stderr, report: written })
      })
    })
    return { child, said: () => stdout + stderr, ended }
  }
  return {
    folder,
    env,
    start,
    exec: (args, command, more) => start(['exec', ...args, '--json', report, '--', ...command], more).ended,
  }
}
