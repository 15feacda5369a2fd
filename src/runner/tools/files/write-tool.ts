import { tool } from 'ai'
import { z } from 'zod'
import type { DeclaredTool } from '../declared-tool.ts'
import { ToolFailure } from '../tool-failure.ts'
import type { Fence } from './fence.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

const MOST_CHARACTERS = 10_000_000

const inputSchema = z.object({
  path: z.string().describe('The file, relative to the working folder. Missing folders are created.'),
  content: z.string().describe('The complete content of the file.'),
})

/** Writes a whole file. */
export function writeTool(fence: Fence): DeclaredTool {
  return {
    declaration: { changes: true, timeoutMs: 60_000 },
    tool: tool({
      description: 'Writes a file of the working folder, replacing its content. To change a part of it, use edit.',
      inputSchema,
      async execute({ path, content }, { abortSignal }) {
        abortSignal?.throwIfAborted()
        if (content.length > MOST_CHARACTERS) {
          throw new ToolFailure(`The content has ${content.length} characters; the limit is ${MOST_CHARACTERS}.`)
        }
        const place = fence.writable(path)
        const wasThere = writeFileAtomically(place, content)
        const lines = content === '' ? 0 : content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
        return `${wasThere ? 'Replaced' : 'Created'} ${place.shown} (${lines} ${lines === 1 ? 'line' : 'lines'}).`
      },
    }),
  }
}
