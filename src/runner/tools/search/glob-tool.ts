import { join } from 'node:path'
import { tool } from 'ai'
import { z } from 'zod'
import type { DeclaredTool } from '../declared-tool.ts'
import type { Fence } from '../files/fence.ts'
import { ToolFailure } from '../tool-failure.ts'
import { assertPattern } from './assert-pattern.ts'
import { search } from './search.ts'
import { searchPlace } from './search-place.ts'

const MOST_SHOWN = 500

const inputSchema = z.object({
  pattern: z.string().describe('A glob pattern, e.g. "src/**/*.ts".'),
  path: z.string().optional().describe('The folder to look in. Default: the working folder.'),
})

/** Finds files by a glob pattern. */
export function globTool(fence: Fence): DeclaredTool {
  return {
    declaration: { changes: false, timeoutMs: 60_000 },
    tool: tool({
      description: 'Finds files by a glob pattern, sorted by name. Files that git ignores are skipped.',
      inputSchema,
      async execute({ pattern, path = '.' }, { abortSignal }) {
        assertPattern('pattern', pattern)
        const place = searchPlace(fence, path)
        if (place.file !== null) throw new ToolFailure(`${path} is a file, not a folder. Read it, or leave path out.`)
        const { base, shown } = place
        const answer = await search({ kind: 'glob', files: { base, pattern, hidden: fence.hiddenPaths } }, abortSignal)
        if (answer.kind !== 'glob') throw new ToolFailure(answer.kind === 'failed' ? answer.message : 'Nothing found.')
        const { files, isCut } = answer.found
        const notes = isCut ? ['[not every folder was searched: there are too many files; narrow the path]'] : []
        if (files.length === 0) return ['No file matches.', ...notes].join('\n')
        if (files.length > MOST_SHOWN) notes.push(`[${files.length - MOST_SHOWN} more; narrow the pattern]`)
        return [...files.slice(0, MOST_SHOWN).map((file) => join(shown, file)), ...notes].join('\n')
      },
    }),
  }
}
