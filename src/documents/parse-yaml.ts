import { isAlias, isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { showValue } from '../core/index.ts'
import { type Document, type DocumentProblem, fieldName } from './document.ts'

const DEEPEST = 32
const MOST_VALUES = 50_000
const MOST_PROBLEMS = 100

/** The document, or all problems with it. */
export type YamlReading =
  | { readonly kind: 'read'; readonly document: Document }
  | { readonly kind: 'refused'; readonly problems: readonly DocumentProblem[] }

/**
 * Reads YAML as plain data: no anchors, aliases, tags, merge keys, directives or duplicate keys. Values are taken from
 * the syntax tree, so that nothing is ever expanded. `firstLine` is the line of the file that the text begins at.
 * Never throws.
 */
export function parseYaml(file: string, text: string, firstLine = 1): YamlReading {
  const counter = new LineCounter()
  const lineAt = (offset: number): number => counter.linePos(offset).line + firstLine - 1
  const tree = parseTree(file, text, counter, lineAt)
  if ('problems' in tree) return { kind: 'refused', problems: tree.problems }
  const problems: DocumentProblem[] = []
  const lineByField = new Map<string, number>()
  let values = 0

  const lineOfNode = (node: unknown): number | null => {
    const start = (node as { range?: readonly number[] | null } | null)?.range?.[0]
    return start === undefined ? null : lineAt(start)
  }
  const refuse = (node: unknown, field: string, message: string): undefined => {
    const line = lineOfNode(node) ?? lineByField.get(field) ?? null
    if (problems.length < MOST_PROBLEMS) problems.push({ file, line, field, message })
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
    if (isSeq(node)) return node.items.map((item, index) => readItem(item, fieldName(field, index), depth))
    if (isMap(node)) return readObject(node, field, depth)
    return refuse(node, field, 'is not a value.')
  }
  const readItem = (item: unknown, name: string, depth: number): unknown => {
    const line = lineOfNode(item)
    if (line !== null) lineByField.set(name, line)
    return readValue(item, name, depth + 1)
  }
  const readObject = (map: YAMLMap, field: string, depth: number): unknown => {
    const object: Record<string, unknown> = Object.create(null)
    for (const pair of map.items) {
      const key = readKey(pair, field)
      if (key === undefined) continue
      const name = fieldName(field, key)
      const line = lineOfNode(pair.key)
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
    if (!isPlain) return refuse(key, field, 'has a key that is not plain text.')
    if (key.value === '<<') return refuse(key, field, 'has a merge key (<<). Write the fields themselves.')
    if (typeof key.value === 'string') return key.value
    return refuse(key, field, `has the key ${showValue(key.value)}, which is not text. Put it in quotes.`)
  }

  const value = readValue(tree.contents, '', 0)
  if (problems.length > 0) return { kind: 'refused', problems }
  return { kind: 'read', document: { file, value, lineOf: (field) => lineByField.get(field) } }
}

type Tree = { readonly contents: unknown } | { readonly problems: readonly DocumentProblem[] }

function parseTree(file: string, text: string, lineCounter: LineCounter, lineAt: (offset: number) => number): Tree {
  const problemAt = (line: number | null, message: string): DocumentProblem => ({ file, line, field: '', message })
  const nestedTooDeep: Tree = { problems: [problemAt(null, 'The file is nested too deep.')] }
  try {
    // Duplicate keys are found above: the parser's own check takes quadratic time.
    const options = { lineCounter, version: '1.2', schema: 'core', merge: false, uniqueKeys: false } as const
    const parsed = parseDocument(text, { ...options, prettyErrors: false, logLevel: 'error' })
    // The parser reports its own stack overflow as a syntax error.
    if (parsed.errors.some(({ message }) => message.startsWith('Maximum call stack'))) return nestedTooDeep
    if (parsed.errors.length > 0) {
      const shown = parsed.errors.slice(0, MOST_PROBLEMS)
      return { problems: shown.map(({ pos, message }) => problemAt(lineAt(pos[0]), `${message}.`)) }
    }
    const { yaml, tags } = parsed.directives ?? {}
    if (yaml?.explicit === true || Object.keys(tags ?? {}).some((handle) => handle !== '!!')) {
      return { problems: [problemAt(lineAt(0), 'Directives (%) are not supported. Leave it out.')] }
    }
    return { contents: parsed.contents }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return nestedTooDeep
  }
}
