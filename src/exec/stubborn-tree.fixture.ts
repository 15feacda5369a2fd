import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../core/index.ts'
import { createProcessTable } from '../system/processes/create-process-table.ts'

/**
 * A program that ignores SIGINT and SIGTERM, with a child, a grandchild in its own session, and another one in its own
 * session whose parent has ended, so that only its environment shows which run it belongs to.
 */
const PROGRAM = `
import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
const [folder, name] = process.argv.slice(2)
const next = { parent: ['child', 'middle'], child: ['escaped'], middle: ['orphan'] }[name] ?? []
const isApart = (each) => each === 'escaped' || each === 'orphan'
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
setInterval(() => {}, 1000)
writeFileSync(join(folder, name + '.tmp'), String(process.pid))
renameSync(join(folder, name + '.tmp'), join(folder, name))
for (const each of next) spawn(process.execPath, [process.argv[1], folder, each], { detached: isApart(each), stdio: 'ignore' })
if (name === 'middle') process.exit()
`

const NAMES = ['parent', 'child', 'escaped', 'orphan'] as const

/** A process tree that ignores signals. */
export interface StubbornTree {
  /** For `startCommand`. */
  readonly command: string
  readonly args: readonly string[]
  /** The pids, once all processes are running. */
  started(): Promise<readonly number[]>
}

export function createStubbornTree(): StubbornTree {
  const folder = mkdtempSync(join(tmpdir(), 'stint-tree-'))
  const program = join(folder, 'program.mjs')
  writeFileSync(program, PROGRAM)
  const pidOf = (name: string) => Number(readFileSync(join(folder, name), 'utf8'))
  onTestFinished(() => {
    // Nothing may outlive a failed test.
    for (const name of NAMES) if (existsSync(join(folder, name))) killIfThere(pidOf(name))
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    command: process.execPath,
    args: [program, folder, 'parent'],
    async started() {
      await until(() => NAMES.every((name) => existsSync(join(folder, name))))
      return NAMES.map(pidOf)
    },
  }
}

/** Real processes take real time. */
export const REAL_CLOCK: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, callback) {
    const timeout = setTimeout(callback, delayMs)
    return () => clearTimeout(timeout)
  },
}

/** Polls until it is true; bounded by the test's own timeout. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Whether a process is running. A zombie, which can still be signalled, is not. */
export function isRunning(pid: number): boolean {
  return createProcessTable().look(pid) !== null
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
