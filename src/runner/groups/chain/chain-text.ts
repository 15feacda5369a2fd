import { type AgentProblem, agentProblem } from '../../../agents/agent-problem.ts'
import { FRONT_MATTER_LINE, splitFrontMatter } from '../../../agents/read/split-front-matter.ts'
import { isPlainObject } from '../../../core/index.ts'
import { type Document, fieldName, parseYaml } from '../../../documents/index.ts'

/** The content of a chain file as data, or why it has none. */
export type ChainText =
  | ({ readonly kind: 'read' } & Pick<Document, 'value' | 'lineOf'>)
  | { readonly kind: 'refused'; readonly problems: readonly AgentProblem[] }

/** Reads a chain's text by the name of its file: YAML and JSON as they are, Markdown with a section for each step. */
export function readChainText(file: string, text: string): ChainText {
  return /\.md$/i.test(file) ? readMarkdown(file, text) : readData(file, text.replace(/^\uFEFF/, ''), 1)
}

// JSON is YAML: one parser with the same bounds, which knows the lines.
function readData(file: string, text: string, firstLine: number): ChainText {
  const reading = parseYaml(file, text, firstLine)
  if (reading.kind === 'read') {
    const { value, lineOf } = reading.document
    return { kind: 'read', value, lineOf }
  }
  const problems = reading.problems.map(({ line, field, message }) =>
    agentProblem(file, { line: line ?? firstLine, field }, field === '' ? message : `${field} ${message}`),
  )
  return { kind: 'refused', problems }
}

/**
 * In pi's format: front matter, then for each step a heading `## AGENT`, fields up to the first empty line, and the
 * task. A file without such headings has its steps in the front matter.
 */
function readMarkdown(file: string, text: string): ChainText {
  const split = splitFrontMatter(text)
  if (split.kind !== 'split') {
    return { kind: 'refused', problems: [agentProblem(file, { line: split.line }, split.message)] }
  }
  const head = readData(file, split.frontMatter, FRONT_MATTER_LINE)
  const above = `${split.before}${split.frontMatter}${split.between}`
  const sections = sectionsOf(split.body, above.split('\n').length)
  if (head.kind === 'refused' || sections.length === 0) return head
  const problems: AgentProblem[] = []
  const lines = new Map<string, number>()
  const steps = sections.map((section, index) => {
    const at = fieldName('steps', index)
    lines.set(at, section.line)
    lines.set(fieldName(at, 'task'), section.taskLine)
    const fields = readData(file, section.fields, section.line + 1)
    if (fields.kind === 'refused') problems.push(...fields.problems)
    else if (fields.value !== null && !isPlainObject(fields.value)) {
      const message = 'Below a heading are fields, such as as: plan, up to an empty line. Put one above the task.'
      problems.push(agentProblem(file, { line: section.line + 1, field: at }, message))
    }
    const values = fields.kind === 'read' && isPlainObject(fields.value) ? fields.value : {}
    for (const name of Object.keys(values)) {
      lines.set(fieldName(at, name), (fields.kind === 'read' && fields.lineOf(name)) || section.line)
    }
    return { ...values, agent: section.agent, ...(section.task === '' ? {} : { task: section.task }) }
  })
  if (problems.length > 0) return { kind: 'refused', problems }
  const values = isPlainObject(head.value) ? head.value : {}
  const twice = ['steps', 'chain'].find((name) => Object.hasOwn(values, name))
  if (twice !== undefined) {
    const message = 'The steps are in the front matter and also below it. Keep one of the two.'
    return { kind: 'refused', problems: [agentProblem(file, { line: head.lineOf(twice), field: twice }, message)] }
  }
  return { kind: 'read', value: { ...values, steps }, lineOf: (field) => lines.get(field) ?? head.lineOf(field) }
}

interface Section {
  readonly agent: string
  readonly line: number
  readonly fields: string
  readonly task: string
  readonly taskLine: number
}

function sectionsOf(body: string, firstLine: number): readonly Section[] {
  const lines = body.split(/\r?\n/)
  const starts = lines.flatMap((line, index) => (/^##\s+\S/.test(line) ? [index] : []))
  return starts.map((start, place) => {
    const inside = lines.slice(start + 1, starts[place + 1])
    const gap = inside.findIndex((line) => line.trim() === '')
    const fields = gap === -1 ? inside : inside.slice(0, gap)
    return {
      agent: lines[start]!.replace(/^##\s+/, '').trim(),
      line: firstLine + start,
      fields: fields.join('\n'),
      task:
        gap === -1
          ? ''
          : inside
              .slice(gap + 1)
              .join('\n')
              .trim(),
      taskLine: firstLine + start + 1 + fields.length + 1,
    }
  })
}
