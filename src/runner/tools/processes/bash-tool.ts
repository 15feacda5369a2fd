import { existsSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { tool } from 'ai'
import { z } from 'zod'
import { formatDuration } from '../../../core/index.ts'
import type { DeclaredTool } from '../declared-tool.ts'
import type { Artifacts } from '../output/artifacts.ts'
import { createBoundedOutput } from '../output/bounded-output.ts'
import { ToolFailure } from '../tool-failure.ts'
import type { Programs } from './programs.ts'
import { type CommandEnd, runCommand } from './run-command.ts'

export interface BashOptions {
  readonly workingFolder: string
  readonly env: Readonly<Record<string, string>>
  readonly programs: Programs
  readonly artifacts: Artifacts
}

const DEFAULT_TIMEOUT_MS = 120_000
const LONGEST_TIMEOUT_MS = 600_000
// More than a command's own time and the end of its tree can take.
const LATEST_END_MS = LONGEST_TIMEOUT_MS + 30_000
// What an operating system takes as one argument.
const LONGEST_COMMAND = 100_000

const inputSchema = z.object({
  command: z.string().describe('What bash runs, in the working folder.'),
  timeoutMs: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe(`Ended after so many milliseconds. Default: ${DEFAULT_TIMEOUT_MS}, at most ${LONGEST_TIMEOUT_MS}.`),
})

// Nobody sits at a terminal.
const NO_TERMINAL = { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' }
const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash']

/** Runs a command in a shell. It cannot be confined: whatever this user may do, it can do. */
export function bashTool({ workingFolder, env, programs, artifacts }: BashOptions): DeclaredTool {
  const shell = SHELLS.find((file) => existsSync(file)) ?? 'sh'
  return {
    declaration: { changes: true, timeoutMs: LATEST_END_MS },
    tool: tool({
      description:
        'Runs a command with bash and returns what it writes. Each call begins in the working folder with a new shell ' +
        'and without input. What it leaves running is ended with the run.',
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
          const end = await runCommand(program, { output, timeoutMs: shortened, signal })
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

function show({ code, signal, isTimedOut, left }: CommandEnd, timeoutMs: number, output: string): string {
  const parts: string[] = []
  if (isTimedOut) parts.push(`timed out after ${formatDuration(timeoutMs)}; it and all that it started were ended`)
  else if (signal !== null) parts.push(`ended by ${signal}`)
  else if (code !== 0) parts.push(`exit code ${code}`)
  parts.push(output === '' ? '(no output)' : output)
  if (left.length > 0) parts.push(`[left running, ended with the run: ${left.slice(0, 10).join(', ')}]`)
  return parts.join('\n')
}
