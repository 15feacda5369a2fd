import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { codeOf, messageOf } from '../../core/checks/thrown.ts'
import { InvalidOptionError } from '../../core/index.ts'
import type { Platform } from '../platform.ts'

const MOST_BYTES = 10 * 1024 * 1024
const FORM = 'the task, - for standard input, or @FILE'

/** The task of an agent: the text itself, `-` for standard input, `@FILE` for what is in a file. */
export async function readTask(platform: Platform, written: string): Promise<string> {
  const text = await textOf(platform, written)
  if (text.trim() === '') throw new InvalidOptionError('TASK', written, `${FORM}; this one is empty`)
  return text
}

async function textOf(platform: Platform, written: string): Promise<string> {
  if (written === '-') return platform.readInput()
  if (!written.startsWith('@')) return written
  const file = resolve(platform.workingFolder, written.slice(1))
  try {
    const stats = statSync(file)
    if (stats.isFile() && stats.size > MOST_BYTES) throw new Error('it is larger than 10 MiB')
    return readFileSync(file, 'utf8')
  } catch (error) {
    const form = `@FILE with a file that can be read (${reasonOf(error)}); pass a text that starts with @ through -`
    throw new InvalidOptionError('TASK', written, form)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}

function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? ''
  const message = messageOf(error)
  return REASONS[code] ?? message
}
