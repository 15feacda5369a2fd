import { close, lstatSync, readdirSync } from 'node:fs'
import { tool } from 'ai'
import { z } from 'zod'
import type { DeclaredTool } from '../declared-tool.ts'
import { SHOWN_CHARACTERS } from '../output/bounded-output.ts'
import { ToolFailure } from '../tool-failure.ts'
import type { Fence, Place } from './fence.ts'
import { openRegularFile } from './open-regular-file.ts'
import { type LinesRead, readLines } from './read-lines.ts'

const MOST_LINES = 2_000
const MOST_ENTRIES = 100

const inputSchema = z.object({
  path: z.string().describe('The file, relative to the working folder.'),
  offset: z.number().int().min(1).optional().describe('The first line, from 1. Default: 1.'),
  limit: z.number().int().min(1).max(MOST_LINES).optional().describe(`The number of lines. Default: ${MOST_LINES}.`),
})

/** Reads a text file, with line numbers. */
export function readTool(fence: Fence): DeclaredTool {
  return {
    declaration: { changes: false, timeoutMs: 60_000 },
    tool: tool({
      description:
        'Reads a text file of the working folder. Each line is shown after its number and a tab. Long files are shown ' +
        'in parts: continue with offset.',
      inputSchema,
      async execute({ path, offset = 1, limit = MOST_LINES }, { abortSignal: signal }) {
        const place = fence.readable(path)
        refuseFolder(place)
        const { descriptor, stats } = openRegularFile(place)
        try {
          const asked = { offset, limit, mostCharacters: SHOWN_CHARACTERS, signal }
          return show(place, offset, stats.size, await readLines(descriptor, asked))
        } finally {
          close(descriptor)
        }
      },
    }),
  }
}

function show({ shown }: Place, offset: number, size: number, read: LinesRead): string {
  if (read.kind === 'binary') return `${shown} is ${read.what} of ${size} bytes. It is not shown.`
  const { lines, cut, seen } = read
  if (lines.length === 0) {
    if (cut === 'far') throw new ToolFailure(`Line ${offset} of ${shown} is too far down to read. Use grep.`)
    if (seen === 0) return `${shown} is empty.`
    throw new ToolFailure(`${shown} has only ${seen} lines. Use an offset from 1 to ${seen}.`)
  }
  const numbered = lines.map((line, index) => `${offset + index}\t${line}`)
  if (cut !== null) numbered.push(`[more follows: continue with offset ${offset + lines.length}]`)
  return numbered.join('\n')
}

function refuseFolder({ path, shown }: Place): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return
  const entries = namesIn(path)
  const more = entries.length > MOST_ENTRIES ? [`and ${entries.length - MOST_ENTRIES} more`] : []
  const list = [...entries.slice(0, MOST_ENTRIES), ...more].join(', ')
  throw new ToolFailure(`${shown} is a folder, not a file. In it: ${list || 'nothing'}.`)
}

function namesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.map((entry) => entry.name + (entry.isDirectory() ? '/' : ''))
  } catch {
    // Not readable.
    return []
  }
}
