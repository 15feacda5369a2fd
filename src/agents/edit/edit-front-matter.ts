import { isDeepStrictEqual } from 'node:util'
import { Document, isCollection, isMap, isScalar, type Pair, parseDocument, stringify, YAMLMap } from 'yaml'
import { isPlainObject } from '../../core/index.ts'
import { parseYaml } from '../../documents/index.ts'

/** The path of a field and its new value; `undefined` removes the field. */
export interface FieldChange {
  readonly path: readonly string[]
  readonly value: unknown
}

// Keeps the line breaks and quotes as they were written.
const AS_WRITTEN = { lineWidth: 0 } as const
const READING = { version: '1.2', schema: 'core', merge: false, prettyErrors: false, logLevel: 'error' } as const

/**
 * Changes fields in front matter, and nothing else: comments, order, quotes and line ends of the rest stay byte for
 * byte. `parseYaml` must be able to read the text. Throws if the result would differ in anything but the given fields.
 */
export function editFrontMatter(text: string, changes: readonly FieldChange[]): string {
  return changes.reduce((before, change) => {
    const after = applyChange(before, change)
    const expected = withChange(valueIn(before), change)
    if (!isDeepStrictEqual(plain(valueIn(after)), plain(expected))) {
      throw new Error(`${change.path.join('.')} cannot be changed without changing other fields`)
    }
    return after
  }, text)
}

function applyChange(text: string, change: FieldChange): string {
  const [top, ...below] = change.path as [string, ...string[]]
  const document = parseDocument(text, READING)
  const { contents } = document
  if (change.value === undefined && !document.hasIn(change.path)) return text
  if (isMap(contents) && contents.flow === true) {
    change.value === undefined ? document.deleteIn(change.path) : document.setIn(change.path, change.value)
    return withLineEndsOf(text, document.toString(AS_WRITTEN))
  }
  const pair = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === top) : undefined
  if (pair === undefined) return append(text, nested(change))
  if (below.length === 0) return replace(text, pair, change.value === undefined ? null : stringified(change))
  if (!isCollection(pair.value)) return replace(text, pair, stringify(nested(change), AS_WRITTEN))
  if (change.value === undefined) document.deleteIn(change.path)
  else document.setIn(change.path, change.value)
  const isEmpty = isMap(pair.value) && pair.value.items.length === 0
  return replace(text, pair, isEmpty ? null : pairText(pair))
}

function stringified({ path, value }: FieldChange): string {
  return stringify({ [path[0]!]: value }, AS_WRITTEN)
}

function nested({ path, value }: FieldChange): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
}

/** The pair as text, without the comments before and after it, which stay in the file. */
function pairText(pair: Pair): string {
  const [key, value] = [pair.key, pair.value] as { commentBefore?: string; spaceBefore?: boolean; comment?: string }[]
  delete key!.commentBefore
  delete key!.spaceBefore
  delete value!.comment
  const alone = new Document()
  const map = new YAMLMap(alone.schema)
  map.items.push(pair)
  alone.contents = map as never
  return alone.toString(AS_WRITTEN)
}

function replace(text: string, pair: Pair, replacement: string | null): string {
  const start = rangeOf(pair.key)[0]
  const behind = text.slice(0, pair.value === null ? rangeOf(pair.key)[1] + 1 : rangeOf(pair.value)[1])
  const end = behind.trimEnd().length
  if (replacement !== null) {
    return text.slice(0, start) + withLineEndsOf(text, replacement.trimEnd()) + text.slice(end)
  }
  const lineEnd = text.indexOf('\n', end)
  return text.slice(0, start) + (lineEnd === -1 ? '' : text.slice(lineEnd + 1))
}

function rangeOf(node: unknown): readonly [number, number, number] {
  return (node as { range: readonly [number, number, number] }).range
}

function append(text: string, fields: unknown): string {
  const lineEnd = text === '' || text.endsWith('\n') ? '' : '\n'
  return text + withLineEndsOf(text, lineEnd + stringify(fields, AS_WRITTEN))
}

/** `inserted` with the line ends of `text`. */
export function withLineEndsOf(text: string, inserted: string): string {
  const plainEnds = inserted.replaceAll('\r\n', '\n')
  return text.includes('\r\n') ? plainEnds.replaceAll('\n', '\r\n') : plainEnds
}

function valueIn(text: string): unknown {
  const reading = parseYaml('front matter', text)
  if (reading.kind === 'refused') throw new Error(reading.problems[0]?.message)
  return reading.document.value ?? {}
}

function withChange(value: unknown, { path, value: wanted }: FieldChange): unknown {
  const [key, ...below] = path
  if (key === undefined) return wanted
  const object: Record<string, unknown> = Object.assign(Object.create(null), isPlainObject(value) ? value : {})
  const inner = withChange(object[key], { path: below, value: wanted })
  const isGone =
    inner === undefined || (wanted === undefined && isPlainObject(inner) && Object.keys(inner).length === 0)
  if (isGone) delete object[key]
  else object[key] = inner
  return object
}

// Makes objects with and without a prototype equal.
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null')
}
