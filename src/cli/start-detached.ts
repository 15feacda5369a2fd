import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { makeFolder } from '../system/make-folder.ts'
import type { Detached, DetachedStart } from './platform.ts'

/** Starts this same program in its own session, so that it survives this process and the terminal. */
export function startDetached({ args, input, logFile, env, folder }: DetachedStart): Detached {
  makeFolder(dirname(logFile))
  const log = openSync(logFile, 'a', 0o600)
  const program = process.argv[1]!
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    detached: true,
    env: { ...process.env, ...env },
    cwd: folder,
    stdio: ['pipe', log, log],
  })
  closeSync(log)
  const stdin = child.stdin as Writable & Partial<Socket>
  // It may have ended before it read anything.
  stdin.on('error', () => {})
  stdin.end(input)
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 0) : 128))
  })
  // A caller that detaches from it does not wait for this.
  ended.catch(() => {})
  return {
    pid: child.pid ?? null,
    ended,
    letGo() {
      child.unref()
      stdin.unref?.()
    },
  }
}
