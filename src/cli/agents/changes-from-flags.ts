import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AgentChanges, FieldChange } from '../../agents/index.ts'
import { codeOf } from '../../core/checks/thrown.ts'
import { InvalidOptionError } from '../../core/index.ts'
import { parseYaml } from '../../documents/index.ts'
import type { Platform } from '../platform.ts'

export interface ChangeFlags {
  readonly set?: readonly string[]
  readonly unset?: readonly string[]
  readonly promptFile?: string
}

const LARGEST_PROMPT_BYTES = 256 * 1024

/** Reads `--set FIELD=VALUE`, `--unset FIELD` and `--prompt-file FILE|-`. */
export async function changesFromFlags(platform: Platform, flags: ChangeFlags): Promise<AgentChanges> {
  const { set = [], unset = [], promptFile } = flags
  const fields = [
    ...set.map((text) => fieldChange(text)),
    ...unset.map((field): FieldChange => ({ path: pathOf('--unset', field), value: undefined })),
  ]
  if (promptFile === undefined) return { fields }
  return { fields, prompt: promptFile === '-' ? await platform.readInput() : readPrompt(platform, promptFile) }
}

function fieldChange(text: string): FieldChange {
  const at = text.indexOf('=')
  if (at === -1) throw new InvalidOptionError('--set', text, 'FIELD=VALUE, e.g. model=haiku or limits.cost=1')
  return { path: pathOf('--set', text.slice(0, at)), value: valueFrom(text.slice(at + 1)) }
}

const STEP = /^[A-Za-z_][\w-]{0,63}$/
const DEEPEST = 5

function pathOf(flag: string, field: string): readonly string[] {
  const path = field.split('.')
  if (path.length <= DEEPEST && path.every((step) => STEP.test(step))) return path
  throw new InvalidOptionError(flag, field, 'the name of a field, e.g. model or limits.cost')
}

// `true`, numbers, lists, objects and quotes mean the same as in the file; everything else is plain text.
const DATA = /^(?:(?:true|false|null|[-+]?[\d.]+)$|[[{"'])/

function valueFrom(text: string): unknown {
  const trimmed = text.trim()
  if (!DATA.test(trimmed)) return trimmed
  const reading = parseYaml('--set', trimmed)
  if (reading.kind === 'read') return reading.document.value
  const reason = reading.problems[0]?.message ?? ''
  throw new InvalidOptionError('The value of --set', text, `one that can be read as YAML (${reason})`)
}

function readPrompt({ workingFolder }: Platform, path: string): string {
  const file = resolve(workingFolder, path)
  const refuse = (form: string): never => {
    throw new InvalidOptionError('--prompt-file', path, form)
  }
  try {
    const status = statSync(file)
    if (!status.isFile()) return refuse('a file of text, or - for standard input')
    if (status.size > LARGEST_PROMPT_BYTES) return refuse(`a file of at most ${LARGEST_PROMPT_BYTES} bytes`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    if (error instanceof InvalidOptionError) throw error
    return refuse(`a file of text in UTF-8 that can be read (${codeOf(error) ?? 'no text'})`)
  }
}
