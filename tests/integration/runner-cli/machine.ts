import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RunResult } from '../../../src/runner/index.ts'
import { BUILT_PROGRAM } from '../../house/built-program.ts'
import { createTemporaryFolder, writeFileInFolder } from '../../house/temporary-folder.ts'

export interface CliEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface StartedCli {
  readonly child: ChildProcess
  /** Resolves once stderr and stdout so far match. */
  until(pattern: RegExp): Promise<void>
  readonly ended: Promise<CliEnd>
}

/** One turn of a scripted model. */
export interface Turn {
  readonly text?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly error?: { readonly status: number; readonly message: string }
  readonly delayMs?: number
}

/** A machine with a home, a project and a ledger of its own, on which the real command line runs agents. */
export interface RunnerMachine {
  readonly folder: string
  readonly projectFolder: string
  readonly tasksFolder: string
  write(path: string, text: string): void
  /** Writes a script for `--model scripted/NAME.json`. */
  script(name: string, script: readonly Turn[] | object): void
  start(args: readonly string[], options?: { readonly input?: string; readonly env?: object }): StartedCli
  run(...args: readonly string[]): Promise<CliEnd>
  /** With `--json`, which must be all that is on standard output. */
  json<Value = RunResult & { readonly exitCode: number }>(
    ...args: readonly string[]
  ): Promise<CliEnd & { readonly document: Value }>
  /** Asks again and again until the answer is as it should be. */
  eventually<Value>(ask: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value>
  /** What is on disk of how it ended; `null` while nothing is. */
  meta(id: string): RunResult | null
}

const PLAIN_AGENT = '---\nname: plain\ndescription: does as it is told\ntools: read, bash\n---\nDo as you are told.\n'

export function createRunnerMachine(own: Readonly<Record<string, string>> = {}): RunnerMachine {
  const folder = createTemporaryFolder({
    '.stint/agents/plain.md': PLAIN_AGENT,
    'project/notes.txt': 'nothing of note\n',
    'state/.keep': '',
  })
  const projectFolder = join(folder, 'project')
  const env = { PATH: process.env.PATH ?? '', HOME: folder, STINT_HOME: join(folder, 'state/stint'), ...own }
  const tasksFolder = join(folder, 'state/stint/tasks')

  const start: RunnerMachine['start'] = (args, { input, env: more = {} } = {}) => {
    const child = spawn(process.execPath, [BUILT_PROGRAM, ...args], {
      cwd: projectFolder,
      env: { ...env, ...more },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stdin?.end(input)
    let stdout = ''
    let stderr = ''
    const watchers = new Set<() => void>()
    const hear = (text: string, stream: 'stdout' | 'stderr'): void => {
      if (stream === 'stdout') stdout += text
      else stderr += text
      for (const look of [...watchers]) look()
    }
    child.stdout!.setEncoding('utf8').on('data', (text) => hear(text, 'stdout'))
    child.stderr!.setEncoding('utf8').on('data', (text) => hear(text, 'stderr'))
    const ended = new Promise<CliEnd>((resolve) => {
      child.once('close', (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }))
    })
    const until = (pattern: RegExp): Promise<void> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(stdout + stderr)) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        look()
        void ended.then(() => reject(new Error(`it ended without ${pattern}:\n${stdout}${stderr}`)))
      })
    return { child, until, ended }
  }

  const run: RunnerMachine['run'] = (...args) => start(args).ended
  return {
    folder,
    projectFolder,
    tasksFolder,
    write: (path, text) => writeFileInFolder(projectFolder, path, text),
    script: (name, script) => writeFileInFolder(projectFolder, `${name}.json`, JSON.stringify(script)),
    start,
    run,
    async json(...args) {
      const end = await run(...args, '--json')
      return { ...end, document: JSON.parse(end.stdout || `{"stderr":${JSON.stringify(end.stderr)}}`) }
    },
    async eventually(ask, isRight) {
      for (let attempt = 0; ; attempt++) {
        const value = await ask()
        if (isRight(value)) return value
        if (attempt > 2_000) throw new Error(`it stayed ${JSON.stringify(value)}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    meta(id) {
      const file = join(tasksFolder, id, 'meta.json')
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
    },
  }
}
