import { printable } from '../../../core/checks/printable.ts'
import { isPlainObject } from '../../../core/index.ts'

const LONGEST = 100
// The arguments that best describe a call, in order of preference.
const TELLING = ['command', 'path', 'file_path', 'pattern', 'query', 'url'] as const

/** The order to another agent: `explore: map the tests`, or `3 agents: explore, explore, qa`. */
function orderText({ agent, task, tasks, chain }: Readonly<Record<string, unknown>>): string | null {
  if (typeof agent === 'string') return typeof task === 'string' ? `${agent}: ${task.split('\n', 1)[0]}` : agent
  const several = [tasks, chain].find((list) => Array.isArray(list))
  if (!Array.isArray(several)) return null
  const names = several.map((each) => (isPlainObject(each) && typeof each.agent === 'string' ? each.agent : '…'))
  return `${names.length} agents: ${names.join(', ')}`
}

/** A one-line summary of a tool call. */
export function toolSummary(input: unknown): string {
  const telling = isPlainObject(input)
    ? (orderText(input) ?? TELLING.map((key) => input[key]).find((value) => typeof value === 'string'))
    : null
  const text = printable(typeof telling === 'string' ? telling : (JSON.stringify(input) ?? ''))
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
