import { existsSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { tool } from 'ai'
import { z } from 'zod'
import { codeOf } from '../../../core/checks/thrown.ts'
import { formatDuration } from '../../../core/index.ts'
import { type WatchedEnd, watchProgram } from '../../../system/processes/watch-program.ts'
import type { DeclaredTool } from '../declared-tool.ts'
import type { Artifacts } from '../output/artifacts.ts'
import { createBoundedOutput } from '../output/bounded-output.ts'
import { ToolFailure } from '../tool-failure.ts'
import { PROGRAM_GRACE_MS, type Programs } from './programs.ts'

export interface BashOptions {
  readonly workingFolder: string
  readonly env: Readonly<Record<string, string>>
  readonly programs: Programs
  readonly artifacts: Artifacts
}

const DEFAULT_TIMEOUT_MS = 120_000
const LONGEST_TIMEOUT_MS = 600_000
// Longer than a command's timeout and the end of its process tree.
const LATEST_END_MS = LONGEST_TIMEOUT_MS + 30_000
// The limit of operating systems for one argument.
const LONGEST_COMMAND = 100_000

const inputSchema = z.object({
  command: z.string().describe('The command that bash runs, in the working folder.'),
  timeoutMs: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(`The timeout in milliseconds. Default: ${DEFAULT_TIMEOUT_MS}, at most ${LONGEST_TIMEOUT_MS}.`),
})

// There is no terminal.
const NO_TERMINAL = { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' }
const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash']

/** Runs a command in a shell. It is not confined: it can do whatever the user may do. */
export function bashTool({ workingFolder, env, programs, artifacts }: BashOptions): DeclaredTool {
  const shell = SHELLS.find((file) => existsSync(file)) ?? 'sh'
  return {
    declaration: { changes: true, timeoutMs: LATEST_END_MS },
    tool: tool({
      description:
        'Runs a command with bash and returns its output. Each call starts a new shell in the working folder, without ' +
        'input. Processes that it leaves running are ended with the run.',
      inputSchema,
      async execute({ command, timeoutMs = DEFAULT_TIMEOUT_MS }, { abortSignal: signal }) {
        signal?.throwIfAborted()
        assertCommand(command)
        const shortened = Math.min(timeoutMs, LONGEST_TIMEOUT_MS)
        const program = programs.start({
          command: shell,
          args: ['-c', command],
          env: { ...env, ...NO_TERMINAL },
          workingFolder,
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        const output = createBoundedOutput('bash', artifacts)
        try {
          const end = await watchProgram(program, {
            timeoutMs: shortened,
            graceMs: PROGRAM_GRACE_MS,
            signal,
            onOutput: output.add,
          })
          if (end.error !== null) {
            throw new ToolFailure(`The command cannot be started (${codeOf(end.error)}).`, end.error)
          }
          return show(end, shortened, stripVTControlCharacters(output.end()))
        } finally {
          output.end()
        }
      },
    }),
  }
}

function assertCommand(command: string): void {
  if (command.trim() === '') throw new ToolFailure('The command is empty.')
  if (command.includes('\0')) throw new ToolFailure('The command has a NUL character in it. Leave it out.')
  if (Buffer.byteLength(command) > LONGEST_COMMAND) {
    throw new ToolFailure(
      `The command is longer than ${LONGEST_COMMAND} bytes. Write a script with write, and run that.`,
    )
  }
}

function show({ code, signal, timedOut, left }: WatchedEnd, timeoutMs: number, output: string): string {
  const parts: string[] = []
  if (timedOut) parts.push(`timed out after ${formatDuration(timeoutMs)}; it and everything it started were ended`)
  else if (signal !== null) parts.push(`ended by ${signal}`)
  else if (code !== 0) parts.push(`exit code ${code}`)
  parts.push(output === '' ? '(no output)' : output)
  if (left.length > 0) parts.push(`[left running, ended with the run: ${left.slice(0, 10).join(', ')}]`)
  return parts.join('\n')
}
