import { join } from 'node:path'
import { tool } from 'ai'
import { z } from 'zod'
import { messageOf } from '../../../core/checks/thrown.ts'
import type { DeclaredTool } from '../declared-tool.ts'
import type { Fence } from '../files/fence.ts'
import type { Artifacts } from '../output/artifacts.ts'
import { boundText } from '../output/bounded-output.ts'
import { ToolFailure } from '../tool-failure.ts'
import { assertPattern } from './assert-pattern.ts'
import { type Expression, expressionOf, type FileMatches } from './grep-files.ts'
import { search } from './search.ts'
import { searchPlace } from './search-place.ts'
import type { SearchAnswer } from './search-request.ts'

const MOST_MATCHES = 300
const LONGEST_EXPRESSION = 1_000

const inputSchema = z.object({
  pattern: z.string().describe('A regular expression (JavaScript), matched line by line.'),
  path: z.string().optional().describe('A folder or a file. Default: the working folder.'),
  glob: z.string().optional().describe('Only files that match this pattern, e.g. "**/*.ts".'),
  ignoreCase: z.boolean().optional().describe('Default: false.'),
  literal: z.boolean().optional().describe('Treat the pattern as plain text. Default: false.'),
  context: z.number().int().min(0).max(10).optional().describe('Lines shown before and after each match. Default: 0.'),
  filesOnly: z.boolean().optional().describe('Only the names of the files that match. Default: false.'),
})

/** Finds lines by a regular expression. */
export function grepTool(fence: Fence, artifacts: Artifacts): DeclaredTool {
  return {
    declaration: { changes: false, timeoutMs: 60_000 },
    tool: tool({
      description:
        'Finds lines of text files by a regular expression. Shows FILE:LINE: TEXT. Files that git ignores and binary ' +
        'files are skipped.',
      inputSchema,
      async execute({ pattern, path = '.', glob = '**', filesOnly = false, context = 0, ...rest }, { abortSignal }) {
        assertPattern('glob', glob)
        const asked = { pattern, isLiteral: rest.literal ?? false, ignoreCase: rest.ignoreCase ?? false }
        const grep = {
          ...asked,
          context: filesOnly ? 0 : context,
          mostMatches: MOST_MATCHES,
          mostPerFile: filesOnly ? 1 : MOST_MATCHES,
        }
        assertExpression(grep)
        const { base, file, shown } = searchPlace(fence, path)
        // `*.ts` matches in every folder, as in other programs.
        const files = { base, pattern: glob.includes('/') ? glob : `**/${glob}`, hidden: fence.hiddenPaths }
        const answer = await search(
          { kind: 'grep', files: file === null ? files : null, file, grep: { ...grep, base } },
          abortSignal,
        )
        const lines = show(answer, shown, filesOnly)
        return boundText(lines.join('\n'), 'grep', artifacts)
      },
    }),
  }
}

function assertExpression(asked: Expression): void {
  const { pattern } = asked
  if (pattern === '') throw new ToolFailure('pattern is empty. Give a regular expression.')
  if (pattern.length > LONGEST_EXPRESSION) {
    throw new ToolFailure(`pattern has ${pattern.length} characters; the limit is ${LONGEST_EXPRESSION}.`)
  }
  try {
    expressionOf(asked)
  } catch (error) {
    const message = messageOf(error)
    throw new ToolFailure(`${message}. To look for it as plain text, set literal.`, error)
  }
}

function show(answer: SearchAnswer, folder: string, filesOnly: boolean): readonly string[] {
  if (answer.kind !== 'grep') throw new ToolFailure(answer.kind === 'failed' ? answer.message : 'The search failed.')
  const { matches, count, cut, tooLong } = answer.found
  const notes: string[] = []
  if (cut === 'matches') notes.push(`[stopped after ${count} matches; narrow the path or the pattern for the rest]`)
  if (cut === 'bytes' || answer.isCut) notes.push('[not every file was searched: there are too many; narrow the path]')
  if (tooLong.length > 0) notes.push(`[too long to search: ${tooLong.slice(0, 5).join(', ')}]`)
  if (matches.length === 0) return ['No line matches.', ...notes]
  if (filesOnly) return [...matches.map(({ file }) => join(folder, file)), ...notes]
  return [...matches.flatMap((each) => showFile(each, folder)), ...notes]
}

function showFile({ file, lines }: FileMatches, folder: string): readonly string[] {
  const name = join(folder, file)
  return lines.flatMap(({ number, text, isMatch }, index) => {
    const before = lines[index - 1]
    const gap =
      before !== undefined && lines.some((each) => !each.isMatch) && before.number !== number - 1 ? ['--'] : []
    return [...gap, `${name}:${number}${isMatch ? ':' : '-'} ${text}`]
  })
}
