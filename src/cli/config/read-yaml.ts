import { isAlias, isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { showValue } from '../../core/index.ts'
import type { Document } from './document.ts'
import { fieldName } from './field-name.ts'
import { type ConfigProblem, InvalidConfigError } from './invalid-config-error.ts'

const DEEPEST = 32
const MOST_VALUES = 50_000
const MOST_PROBLEMS = 100

/**
 * Reads YAML as data and nothing more: no anchors and aliases, no tags, no merge keys, no directives, and no key
 * twice. Values are taken from the syntax tree, so that nothing is ever expanded.
 */
export function readYaml(file: string, text: string): Document {
  const lines = new LineCounter()
  const tree = parseTree(file, text, lines)
  const problems: ConfigProblem[] = []
  const lineByField = new Map<string, number>()
  let values = 0

  const lineAt = (node: unknown): number | null => {
    const start = (node as { range?: readonly number[] | null } | null)?.range?.[0]
    return start === undefined ? null : lines.linePos(start).line
  }
  const refuse = (node: unknown, field: string, message: string): undefined => {
    const line = lineAt(node) ?? lineByField.get(field) ?? null
    const where = line === null ? file : `${file}:${line}`
    if (problems.length < MOST_PROBLEMS) {
      problems.push({ place: field === '' ? where : `${field} in ${where}`, value: undefined, message })
    }
    return undefined
  }
  const readValue = (node: unknown, field: string, depth: number): unknown => {
    if (node === null || node === undefined) return null
    if (depth > DEEPEST) return refuse(node, field, `is nested more than ${DEEPEST} levels deep.`)
    if (++values > MOST_VALUES) return refuse(node, field, `is one of more than ${MOST_VALUES} values.`)
    if (isAlias(node)) return refuse(node, field, 'is an alias (*). Write the value itself.')
    const { anchor, tag } = node as { anchor?: string; tag?: string }
    if (anchor !== undefined) return refuse(node, field, 'has an anchor (&). Write the value where it is needed.')
    if (tag !== undefined) return refuse(node, field, `has a tag (${tag}). Write the plain value.`)
    if (isScalar(node)) return node.value
    if (isSeq(node)) return node.items.map((item, index) => readValue(item, fieldName(field, index), depth + 1))
    if (isMap(node)) return readObject(node, field, depth)
    return refuse(node, field, 'is no value.')
  }
  const readObject = (map: YAMLMap, field: string, depth: number): unknown => {
    const object: Record<string, unknown> = Object.create(null)
    for (const pair of map.items) {
      const key = readKey(pair, field)
      if (key === undefined) continue
      const name = fieldName(field, key)
      const line = lineAt(pair.key)
      if (key in object) {
        refuse(pair.key, name, 'is written twice. Keep one of them.')
        continue
      }
      if (line !== null) lineByField.set(name, line)
      object[key] = readValue(pair.value, name, depth + 1)
    }
    return object
  }
  const readKey = ({ key }: Pair, field: string): string | undefined => {
    const isPlain = isScalar(key) && (key.anchor ?? key.tag) === undefined
    if (!isPlain) return refuse(key, field, 'has a key that is no plain text.')
    if (key.value === '<<') return refuse(key, field, 'has a merge key (<<). Write the fields themselves.')
    if (typeof key.value === 'string') return key.value
    return refuse(key, field, `has the key ${showValue(key.value)}, which is no text. Put it in quotes.`)
  }

  const value = readValue(tree, '', 0)
  if (problems.length > 0) throw new InvalidConfigError(problems)
  return { file, value, lineOf: (field) => lineByField.get(field) }
}

function parseTree(file: string, text: string, lineCounter: LineCounter): unknown {
  const problemAt = (offset: number, message: string): ConfigProblem => {
    return { place: `${file}:${lineCounter.linePos(offset).line}`, value: undefined, message }
  }
  try {
    // Keys are compared above: the parser's own comparison takes time by the square of their number.
    const options = { lineCounter, version: '1.2', schema: 'core', merge: false, uniqueKeys: false } as const
    const parsed = parseDocument(text, { ...options, prettyErrors: false, logLevel: 'error' })
    // The parser reports its own overflow as if it were an error of the text.
    if (parsed.errors.some(({ message }) => message.startsWith('Maximum call stack'))) throw nestedTooDeep(file)
    const problems = parsed.errors.slice(0, MOST_PROBLEMS).map(({ pos, message }) => problemAt(pos[0], `${message}.`))
    if (problems.length > 0) throw new InvalidConfigError(problems)
    const { yaml, tags } = parsed.directives ?? {}
    if (yaml?.explicit === true || Object.keys(tags ?? {}).some((handle) => handle !== '!!')) {
      throw new InvalidConfigError([problemAt(0, 'A directive (%) is not read. Leave it out.')])
    }
    return parsed.contents
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw nestedTooDeep(file)
  }
}

function nestedTooDeep(file: string): InvalidConfigError {
  return new InvalidConfigError([{ place: file, value: undefined, message: 'The file is nested too deep.' }])
}
