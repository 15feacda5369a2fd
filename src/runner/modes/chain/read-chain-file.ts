import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isAgentName } from '../../../agents/agent-name.ts'
import { agentProblem } from '../../../agents/agent-problem.ts'
import { readTextFile } from '../../../agents/read/read-text-file.ts'
import { parseYaml } from '../../../documents/index.ts'
import type { ChainSource } from './chain.ts'
import { readChainText } from './chain-text.ts'
import { type ChainReading, readChain } from './read-chain.ts'

/** What the name of a chain's file ends with. */
export const CHAIN_FILE = /\.chain\.(?:md|json|ya?ml)$/i

/** A chain that was read from a file, which knows where its fields are. */
export type FileReading = ChainReading & { lineOf(field: string): number | undefined }

/** Reads a file as a chain. Never throws: what is wrong with it is all in the refusal. */
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
  const readSchema = (path: string) => readSchemaFile(dirname(file), path)
  return { ...readChain(value, { source, file, isFile: true, name, lineOf, readSchema }), lineOf }
}

/** A schema in a file of its own, beside the chain or below it. */
function readSchemaFile(folder: string, path: string): { readonly value: unknown } | string {
  const file = resolve(folder, path)
  const way = relative(folder, file)
  if (isAbsolute(path) || way.startsWith(`..${sep}`) || way === '..' || way === '') {
    return 'it must be a file beside the chain, or in a folder below it'
  }
  const reading = readTextFile(join(folder, way))
  if (reading.kind === 'refused') return reading.message
  const data = parseYaml(file, reading.text)
  return data.kind === 'read' ? { value: data.document.value } : (data.problems[0]?.message ?? 'it is not JSON')
}
