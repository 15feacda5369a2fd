import { isOneOf } from '../../core/checks/is-one-of.ts'
import { isPlainObject, showValue, suggestName } from '../../core/index.ts'
import { type Document, fieldName, parseYaml } from '../../documents/index.ts'
import { limitFieldsOf } from '../../policy/index.ts'
import { AGENT_NAME_FORM, isAgentName } from '../agent-name.ts'
import { type AgentProblem, agentProblem } from '../agent-problem.ts'
import { type AgentFields, FIELDS_BY_FORMAT, KEPT_FIELDS } from '../fields/agent-fields.ts'
import { problemAt, readFields, type WrittenFields } from '../fields/read-fields.ts'
import { readLimits } from '../fields/read-limits.ts'
import type { AgentDraft, AgentOrigin, AgentRefusal } from './agent-draft.ts'
import { FRONT_MATTER_LINE, splitFrontMatter } from './split-front-matter.ts'

/** The names of limits in each kind of file. Ours accept pi's as well, for people who come from pi. */
const LIMIT_FORMAT = { stint: 'settings', pi: 'pi', 'claude-code': 'claude-code' } as const

// One file must not hide the problems of others.
const MOST_PROBLEMS = 50

/** Reads the text of an agent file. Never throws: a refusal lists all problems. */
export function readAgent(text: string, origin: AgentOrigin): AgentDraft | AgentRefusal {
  const { file, format } = origin
  const split = splitFrontMatter(text)
  if (split.kind !== 'split') {
    return refusal(origin, text, [agentProblem(file, { line: split.line }, split.message)])
  }
  const reading = parseYaml(file, split.frontMatter, FRONT_MATTER_LINE)
  if (reading.kind === 'refused') {
    const problems = reading.problems.map(({ line, field, message }) =>
      agentProblem(file, { line: line ?? FRONT_MATTER_LINE, field }, message),
    )
    return refusal(origin, split.frontMatter, problems)
  }
  const values = reading.document.value ?? {}
  if (!isPlainObject(values)) {
    const message = `The front matter is ${showValue(values)}, not an object. Write e.g. name: developer.`
    return refusal(origin, '', [agentProblem(file, { line: FRONT_MATTER_LINE }, message)])
  }
  const problems: AgentProblem[] = []
  refuseUnsafeKeys(reading.document, problems)
  const written: WrittenFields = { file, values, field: '', lineOf: reading.document.lineOf }
  const known = FIELDS_BY_FORMAT[format]
  const fields = readFields(written, known, problems)
  const isKnown = (key: string) => isOneOf(key, known)
  const others = Object.fromEntries(Object.entries(values).filter(([key]) => !isKnown(key)))
  const limits = readLimits({ ...written, values: others }, LIMIT_FORMAT[format], layerOf(origin), problems)
  refuseNearMisses(written, origin, problems)
  const name = nameOf(fields, reading.document, origin, problems)
  if (problems.length > 0 || limits === null) return refusal(origin, split.frontMatter, problems, name)
  return {
    kind: 'draft',
    origin,
    name,
    fields,
    limits: [limits],
    lineOf: reading.document.lineOf,
    prompt: split.body.replaceAll('\r\n', '\n').trim(),
    unknownFields: unreadFields(values, origin),
  }
}

function layerOf({ source }: AgentOrigin): 'project' | 'user' | 'preset' {
  return source === 'built-in' ? 'preset' : source
}

// In pi, an agent of a package is called `package.name`.
function nameOf(fields: AgentFields, document: Document, origin: AgentOrigin, problems: AgentProblem[]): string {
  const own = fields.name ?? origin.nameOfFile
  const name = fields.package ? `${fields.package}.${own}` : own
  if (!isAgentName(name) && problems.length === 0) {
    const message = `${showValue(name)} is not a name for an agent: ${AGENT_NAME_FORM}. Write name: … or rename the file.`
    problems.push(
      agentProblem(origin.file, { line: document.lineOf('name') ?? 1, field: 'name', value: name }, message),
    )
  }
  return name
}

// A misspelled `tools` would mean "all tools" in every format; other fields may belong to another program.
const NEVER_LOST = ['tools', 'disallowedTools'] as const
const NEAR_MISS_SHARE = 0.25
const SHORTEST_NEAR_MISS = 4

function refuseNearMisses(written: WrittenFields, { format }: AgentOrigin, problems: AgentProblem[]): void {
  const known = FIELDS_BY_FORMAT[format]
  const guarded = format === 'stint' ? known : NEVER_LOST.filter((name) => isOneOf(name, known))
  const read: readonly string[] = [...known, ...limitFieldsOf(LIMIT_FORMAT[format])]
  for (const key of Object.keys(written.values)) {
    if (read.includes(key) || key.length < SHORTEST_NEAR_MISS) continue
    const nearest = suggestName(key, guarded, NEAR_MISS_SHARE)
    if (nearest === null) continue
    const message = `Unknown field ${showValue(key)}. Did you mean ${JSON.stringify(nearest)}?`
    problems.push(problemAt(written, key, written.values[key], message))
  }
}

function unreadFields(values: Readonly<Record<string, unknown>>, { format }: AgentOrigin): AgentDraft['unknownFields'] {
  const acted = FIELDS_BY_FORMAT[format].filter((name) => !KEPT_FIELDS.includes(name))
  const read: readonly string[] = [...acted, ...limitFieldsOf(LIMIT_FORMAT[format])]
  const kept: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(values)) if (!read.includes(key)) kept[key] = values[key]
  return kept
}

function refusal(
  origin: AgentOrigin,
  frontMatter: string,
  problems: readonly AgentProblem[],
  name?: string,
): AgentRefusal {
  // The front matter is invalid, but may still have a name.
  const [, written] = /^name[ \t]*:[ \t]*["']?([^"'\r\n#]{1,100})/m.exec(frontMatter) ?? []
  const meant = [name, written?.trim(), origin.nameOfFile].find(isAgentName) ?? null
  return { kind: 'refused', origin, name: meant, problems: problems.slice(0, MOST_PROBLEMS) }
}

// Harmless here, but unknown fields are passed on to code that may not be as careful.
const UNSAFE = ['__proto__', 'constructor', 'prototype']

/** Refuses keys, at any depth, that have a special meaning in JavaScript. */
function refuseUnsafeKeys(document: Document, problems: AgentProblem[]): void {
  const visit = (value: unknown, field: string): void => {
    if (Array.isArray(value)) value.forEach((item, index) => void visit(item, fieldName(field, index)))
    if (!isPlainObject(value)) return
    for (const key of Object.keys(value)) {
      const name = fieldName(field, key)
      if (UNSAFE.includes(key)) {
        const message = `${key} cannot be the name of a field. Rename it.`
        problems.push(agentProblem(document.file, { line: document.lineOf(name), field: name }, message))
      }
      visit(value[key], name)
    }
  }
  visit(document.value, '')
}
