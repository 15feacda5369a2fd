import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { isAgentName } from '../../../agents/agent-name.ts'
import { agentProblem } from '../../../agents/agent-problem.ts'
import { readTextFile } from '../../../agents/read/read-text-file.ts'
import { parseYaml } from '../../../documents/index.ts'
import type { ChainSource } from './chain.ts'
import { readChainText } from './chain-text.ts'
import { type ChainReading, readChain } from './read-chain.ts'

/** The endings of chain file names. */
export const CHAIN_FILE = /\.chain\.(?:md|json|ya?ml)$/i

/** A chain read from a file, with the lines of its fields. */
export type FileReading = ChainReading & { lineOf(field: string): number | undefined }

/** Reads a file as a chain. Never throws: a refusal lists all problems. */
export function readChainFile(file: string, source: ChainSource): FileReading {
  const name = basename(file)
    .replace(CHAIN_FILE, '')
    .replace(/\.(?:md|json|ya?ml)$/i, '')
  const meant = isAgentName(name) ? name : null
  const reading = readTextFile(file)
  if (reading.kind === 'refused') {
    const problems = [agentProblem(file, { line: reading.line }, reading.message)]
    return { kind: 'refused', name: meant, problems, lineOf: () => undefined }
  }
  const text = readChainText(file, reading.text)
  if (text.kind === 'refused') {
    return { kind: 'refused', name: meant, problems: text.problems, lineOf: () => undefined }
  }
  const { lineOf, value } = text
  const readSchema = (path: string) => readSchemaFile(dirname(file), path, source)
  return { ...readChain(value, { source, file, isFile: true, name, lineOf, readSchema }), lineOf }
}

const NEXT_TO_IT = 'it must be a file next to the chain, or in a folder below it'

/**
 * Reads a schema from its own file, which must be next to the chain or below it. A schema is sent to the model, so a link
 * in a project must not lead out of that folder; one in the user's own may.
 */
function readSchemaFile(folder: string, path: string, source: ChainSource): { readonly value: unknown } | string {
  const file = resolve(folder, path)
  if (isAbsolute(path) || !isBelow(folder, file)) return NEXT_TO_IT
  if (source !== 'user' && leadsOut(folder, file)) return `${NEXT_TO_IT}, and not a link that leads elsewhere`
  const reading = readTextFile(file)
  if (reading.kind === 'refused') return reading.message
  const data = parseYaml(file, reading.text)
  return data.kind === 'read' ? { value: data.document.value } : (data.problems[0]?.message ?? 'it is not JSON')
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function leadsOut(folder: string, file: string): boolean {
  try {
    return !isBelow(realpathSync(folder), realpathSync(file))
  } catch {
    // It is not there, which reading it says.
    return false
  }
}
