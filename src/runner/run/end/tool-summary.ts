import { printable } from '../../../core/checks/printable.ts'
import { isPlainObject } from '../../../core/index.ts'

const LONGEST = 100
// The arguments that best describe a call, in order of preference.
const TELLING = ['command', 'path', 'file_path', 'pattern', 'query', 'url'] as const

/** The order to other agents: `explore: map the tests`, or `5 agents: explore ×4, qa`. */
function orderText({ agent, task, tasks, chain }: Readonly<Record<string, unknown>>): string | null {
  if (typeof agent === 'string') return typeof task === 'string' ? `${agent}: ${task.split('\n', 1)[0]}` : agent
  const several = [tasks, chain].find((list) => Array.isArray(list))
  if (!Array.isArray(several)) return null
  const parts = several.flatMap((step): readonly unknown[] =>
    isPlainObject(step) && Array.isArray(step.parallel) ? step.parallel : [step],
  )
  const count = parts.reduce<number>((sum, part) => sum + countOf(part), 0)
  const names = parts.map((part) => (countOf(part) === 1 ? nameOf(part) : `${nameOf(part)} ×${countOf(part)}`))
  return `${count} ${count === 1 ? 'agent' : 'agents'}: ${names.join(', ')}`
}

// As a model wrote it: not checked yet.
function nameOf(part: unknown): string {
  return isPlainObject(part) && typeof part.agent === 'string' ? part.agent : '…'
}

function countOf(part: unknown): number {
  return isPlainObject(part) && typeof part.count === 'number' && Number.isSafeInteger(part.count) ? part.count : 1
}

/** A one-line summary of a tool call. */
export function toolSummary(input: unknown): string {
  const telling = isPlainObject(input)
    ? (orderText(input) ?? TELLING.map((key) => input[key]).find((value) => typeof value === 'string'))
    : null
  const text = printable(typeof telling === 'string' ? telling : (JSON.stringify(input) ?? ''))
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
