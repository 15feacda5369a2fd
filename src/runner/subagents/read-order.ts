import { readAcceptance } from '../../agents/acceptance/read-acceptance.ts'
import type { Acceptance, AcceptanceInput } from '../../agents/index.ts'
import { isPlainObject, isStintError, showValue, suggestName } from '../../core/index.ts'
import { type InvalidLimitError, type ParsedLimits, parseLimits } from '../../policy/index.ts'
import type { ChildInput, StepInput } from '../groups/chain/chain.ts'
import { ToolFailure } from '../tools/tool-failure.ts'
import type { Order } from './order.ts'

/** A tool call's input, as a model wrote it. */
export type ModelInput = Readonly<Record<string, unknown>>

const ORDER = [
  'agent',
  'task',
  'tasks',
  'chain',
  'concurrency',
  'failFast',
  'limits',
  'acceptance',
  'action',
  'async',
] as const
const CHILD = ['agent', 'task', 'as', 'label', 'count', 'limits', 'acceptance'] as const
const CONTRACT = ['criteria', 'evidence', 'stopRules', 'maxFinalizationTurns'] as const
const PARALLEL_STEP = ['parallel', 'concurrency', 'failFast', 'label'] as const

// Refused by name: each would let a model do what only a person may.
const NOT_FOR_MODELS: Readonly<Record<string, string>> = {
  verify: 'verify runs commands. A person writes it into the agent or chain file.',
  review: 'review starts an agent. A person writes it into the agent or chain file.',
  tools: 'tools are those of the agent. Choose an agent that has them.',
  worktree: 'worktree is set by a person.',
  cwd: 'cwd is not read: every agent works in your folder.',
  model: 'model is that of the agent, or yours.',
}

/** Reads a model's order. Throws `ToolFailure` with what to write instead. */
export function readOrder(input: ModelInput): Order {
  refuseOthers(input, ORDER, 'subagent')
  const forms = (['tasks', 'chain'] as const).filter((name) => input[name] !== undefined)
  const isSingle = forms.length === 0
  if (forms.length > 1) throw new ToolFailure('Give tasks (all at once) or chain (one after the other), not both.')
  const limits = readLimits(input.limits)
  if (isSingle) {
    const { agent, task } = readAgentAndTask(input, '')
    const acceptance = readContract(input.acceptance, 'acceptance')
    return { kind: 'single', agent, task, limits, conversation: [], acceptance: acceptance?.contract ?? null }
  }
  const [form] = forms
  if (input.agent !== undefined) throw new ToolFailure(`Give agent and task, or ${form}, not both.`)
  if (input.acceptance !== undefined) throw new ToolFailure(`Give each of ${form} an acceptance of its own.`)
  if (form === 'tasks') {
    const tasks = listOf(input.tasks, 'tasks').map((each, index) => readChild(each, `tasks[${index}]`, true))
    return { kind: 'parallel', tasks, ...groupFields(input, 'subagent'), limits }
  }
  const steps = listOf(input.chain, 'chain').map((each, index) => readStep(each, `chain[${index}]`))
  const task = typeof input.task === 'string' && input.task.trim() !== '' ? input.task : 'See the steps.'
  const { concurrency } = groupFields(input, 'subagent')
  return { kind: 'chain', task, limits, chain: { steps, ...(concurrency === null ? {} : { concurrency }) } }
}

/** The limits that a model requests. They only lower. */
export function readLimits(value: unknown, place = 'limits'): readonly ParsedLimits[] {
  if (value === undefined || value === null) return []
  try {
    return [parseLimits(value, { layer: 'model', call: 'subagent', field: place })]
  } catch (error) {
    if (isStintError<InvalidLimitError>(error, 'invalid_limit')) throw new ToolFailure(error.message)
    throw error
  }
}

/** A model's contract for another agent's work. It may set neither commands nor a reviewer. */
function readContract(
  value: unknown,
  place: string,
): { readonly written: AcceptanceInput; readonly contract: Acceptance } | null {
  if (value === undefined || value === null) return null
  if (isPlainObject(value)) refuseOthers(value, CONTRACT, place)
  const reading = readAcceptance(value)
  if (reading.kind === 'valid') return { written: reading.written, contract: reading.acceptance }
  const { field, form } = reading.problems[0]!
  throw new ToolFailure(`${field === '' ? place : `${place}.${field}`} must be ${form}.`)
}

/** Refuses unknown fields, with a suggestion; and fields that only people may set, with the reason. */
export function refuseOthers(input: ModelInput, known: readonly string[], place: string): void {
  for (const name of Object.keys(input)) {
    if (known.includes(name)) continue
    const reason = Object.hasOwn(NOT_FOR_MODELS, name) ? NOT_FOR_MODELS[name] : null
    if (reason) throw new ToolFailure(`${place}: ${reason} Leave ${name} out.`)
    const near = suggestName(name, known)
    const hint = near === null ? `The fields are ${known.join(', ')}.` : `Did you mean "${near}"?`
    throw new ToolFailure(`${place} has no field ${showValue(name)}. ${hint}`)
  }
}

/** The agent and the task of one order. */
export function readAgentAndTask(input: ModelInput, place: string): { agent: string; task: string } {
  const at = place === '' ? '' : `${place}.`
  const { agent, task } = input
  if (typeof agent !== 'string' || agent.trim() === '') {
    throw new ToolFailure(`${at}agent is missing. Name one; { "action": "list" } shows them.`)
  }
  if (typeof task !== 'string' || task.trim() === '') {
    throw new ToolFailure(`${at}task is missing. Say what ${agent} is to do: it sees nothing of this conversation.`)
  }
  return { agent, task }
}

function readStep(value: unknown, place: string): StepInput {
  if (!isPlainObject(value) || value.parallel === undefined) return readChild(value, place, false)
  refuseOthers(value, PARALLEL_STEP, place)
  const parallel = listOf(value.parallel, `${place}.parallel`).map((each, index) =>
    readChild(each, `${place}.parallel[${index}]`, false),
  )
  const { concurrency, failFast } = groupFields(value, place)
  return {
    parallel,
    failFast,
    ...(concurrency === null ? {} : { concurrency }),
    ...optionalText(value, 'label', place),
  }
}

/** In a chain, a task may be left out: the agent then gets the output of the previous step. */
function readChild(value: unknown, place: string, needsTask: boolean): ChildInput {
  if (!isPlainObject(value)) {
    throw new ToolFailure(`${place} is not an object such as { "agent": "explore", "task": "…" }.`)
  }
  refuseOthers(value, CHILD, place)
  const isBare = !needsTask && value.task === undefined
  const { agent, task } = readAgentAndTask(isBare ? { ...value, task: '-' } : value, place)
  const [limits] = readLimits(value.limits, `${place}.limits`)
  const acceptance = readContract(value.acceptance, `${place}.acceptance`)
  return {
    agent,
    ...(isBare ? {} : { task }),
    ...optionalText(value, 'as', place),
    ...optionalText(value, 'label', place),
    ...optionalWhole(value, 'count', place),
    ...(limits === undefined ? {} : { limits }),
    ...(acceptance === null ? {} : { acceptance: acceptance.written }),
  }
}

function groupFields(input: ModelInput, place: string): { concurrency: number | null; failFast: boolean } {
  const { concurrency = null } = optionalWhole(input, 'concurrency', place)
  return { concurrency, failFast: input.failFast === true }
}

function optionalText<Name extends string>(input: ModelInput, name: Name, place: string): { [name in Name]?: string } {
  const value = input[name]
  if (value === undefined) return {}
  if (typeof value !== 'string') throw new ToolFailure(`${place}.${name} is ${showValue(value)}, not a text.`)
  return { [name]: value } as { [name in Name]: string }
}

/** The range is checked where the group is read. */
function optionalWhole<Name extends string>(input: ModelInput, name: Name, place: string): { [name in Name]?: number } {
  const value = input[name]
  if (value === undefined) return {}
  if (typeof value !== 'number') throw new ToolFailure(`${place}.${name} is ${showValue(value)}, not a whole number.`)
  return { [name]: value } as { [name in Name]: number }
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new ToolFailure(`${place} is not a list with at least one item.`)
}
