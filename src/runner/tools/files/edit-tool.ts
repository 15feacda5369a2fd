import { closeSync, readFileSync } from 'node:fs'
import { tool } from 'ai'
import { z } from 'zod'
import type { DeclaredTool } from '../declared-tool.ts'
import { ToolFailure } from '../tool-failure.ts'
import { describeBinary } from './describe-binary.ts'
import { type Edit, type Edited, editText } from './edit-text.ts'
import type { Fence, Place } from './fence.ts'
import { nearestLines } from './nearest-lines.ts'
import { openRegularFile } from './open-regular-file.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

const MOST_BYTES = 10_000_000

const inputSchema = z.object({
  path: z.string().describe('The file, relative to the working folder.'),
  oldText: z.string().describe('The text to replace, exactly as in the file, without line numbers.'),
  newText: z.string().describe('The text to put there.'),
  replaceAll: z.boolean().optional().describe('Replace it wherever it occurs. Default: it must occur once.'),
})

/** Replaces exact text in a file. */
export function editTool(fence: Fence): DeclaredTool {
  return {
    declaration: { changes: true, timeoutMs: 60_000 },
    tool: tool({
      description:
        'Replaces text in a file of the working folder. The old text must be exact, spaces included, and occur once, ' +
        'unless replaceAll is true.',
      inputSchema,
      async execute({ path, oldText, newText, replaceAll = false }, { abortSignal }) {
        abortSignal?.throwIfAborted()
        if (oldText === '') throw new ToolFailure('oldText is empty. To write a whole file, use write.')
        if (oldText === newText) throw new ToolFailure('oldText and newText are the same: there is nothing to change.')
        const place = fence.writable(path)
        // Synchronous, so that no other call can come between reading and writing.
        const text = readText(place)
        const edited = editText(text, { oldText, newText, replaceAll })
        if (edited.kind !== 'edited') throw new ToolFailure(explain(place, text, oldText, edited))
        writeFileAtomically(place, edited.text)
        const times = edited.count === 1 ? `at line ${edited.firstLine}` : `in ${edited.count} places`
        return `Edited ${place.shown} ${times}.`
      },
    }),
  }
}

function readText(place: Place): string {
  const { descriptor, stats } = openRegularFile(place)
  try {
    if (stats.size > MOST_BYTES) {
      throw new ToolFailure(`${place.shown} has ${stats.size} bytes, at most ${MOST_BYTES} can be edited.`)
    }
    const bytes = readFileSync(descriptor)
    const what = describeBinary(bytes)
    if (what !== null) throw new ToolFailure(`${place.shown} is ${what} and cannot be edited as text.`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof ToolFailure) throw error
    // Invalid UTF-8 would be lost when written back.
    throw new ToolFailure(`${place.shown} is not text in UTF-8 and cannot be edited.`, error)
  } finally {
    closeSync(descriptor)
  }
}

type NotEdited = Exclude<Edited, { readonly kind: 'edited' }>

function explain({ shown }: Place, text: string, oldText: Edit['oldText'], problem: NotEdited): string {
  if (problem.kind === 'not-unique') {
    const { count, lines } = problem
    const places = `${lines.join(', ')}${lines.length < count ? ', …' : ''}`
    return `oldText occurs ${count} times in ${shown} (lines ${places}). Add lines around it, or set replaceAll.`
  }
  if (problem.kind === 'too-long') return `${shown} would become too long. Nothing was changed.`
  const near = nearestLines(text, oldText)
  if (near.length === 0) return `oldText is not in ${shown}. Read the file again.`
  const list = near.map(({ number, line }) => `${number}\t${line.slice(0, 200)}`).join('\n')
  return `oldText is not in ${shown}. It must be exact, spaces included. The lines most similar to its first line:\n${list}`
}
