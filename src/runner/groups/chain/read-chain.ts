import { AGENT_NAME_FORM, isAgentName } from '../../../agents/agent-name.ts'
import { type AgentProblem, agentProblem } from '../../../agents/agent-problem.ts'
import { isPlainObject, type Layer, showValue } from '../../../core/index.ts'
import { type Chain, type ChainStep, tagChain } from './chain.ts'
import { CHAIN_RULES, MOST_AGENTS, MOST_STEPS } from './chain-fields.ts'
import type { ChainOrigin } from './chain-origin.ts'
import { checkReferences } from './check-references.ts'
import { readStep } from './read-step.ts'
import { type WrittenPart, writtenPart } from './written-part.ts'

/** A chain, or all problems with it. */
export type ChainReading =
  | { readonly kind: 'chain'; readonly chain: Chain }
  | { readonly kind: 'refused'; readonly name: string | null; readonly problems: readonly AgentProblem[] }

// One file must not hide the problems of others.
const MOST_PROBLEMS = 50
const STEP_LISTS = ['steps', 'chain'] as const

/** Reads a chain from data. Never throws: a refusal lists all problems. Trust is not applied yet. */
export function readChain(value: unknown, origin: ChainOrigin): ChainReading {
  const problems: AgentProblem[] = []
  const refused = (name: string | null): ChainReading => {
    return { kind: 'refused', name, problems: problems.slice(0, MOST_PROBLEMS) }
  }
  if (!isPlainObject(value)) {
    const message = `${showValue(value)} is not a chain. Write name, description and steps: [ { agent: …, task: … } ].`
    problems.push(agentProblem(origin.file, { line: 1 }, message))
    return refused(nameOr(origin.name))
  }
  const written = writtenPart(origin, value, '', problems)
  written.refuseOthers('a chain', [...STEP_LISTS, ...Object.keys(CHAIN_RULES), 'limits', 'askAbove'])
  const fields = written.read(CHAIN_RULES)
  const name = nameOf(written, fields, origin)
  const warnings: string[] = []
  const steps = readSteps(written, { origin, warnings })
  const limits = written.limits('limits', layerOf(origin))
  const askAbove = written.askAbove(layerOf(origin))
  const timeoutMs = timeoutOf(written, fields)
  if (problems.length > 0) return refused(nameOr(name))
  return {
    kind: 'chain',
    chain: tagChain({
      name,
      description: fields.description ?? '',
      source: origin.source,
      file: origin.isFile ? origin.file : null,
      steps,
      context: fields.context ?? null,
      concurrency: fields.concurrency ?? null,
      limits,
      askAbove,
      timeoutMs,
      untrustedModels: {},
      leftOut: [],
      warnings,
    }),
  }
}

/** Limits in a file are weaker than those of the environment and of the call that starts it. */
function layerOf({ source, isFile }: ChainOrigin): Layer {
  if (source !== 'call') return source
  return isFile ? 'project' : 'call'
}

function nameOr(name: string): string | null {
  return isAgentName(name) ? name : null
}

// As for agents, one that belongs to a package is named `package.name`.
function nameOf(
  written: WrittenPart,
  fields: { readonly name?: string | null; readonly package?: string | null },
  origin: ChainOrigin,
): string {
  const own = fields.name ?? origin.name
  const name = fields.package ? `${fields.package}.${own}` : own
  if (!isAgentName(name) && !written.has('name')) {
    written.refuse(null, `${showValue(name)} is not a valid chain name: ${AGENT_NAME_FORM}. Write name: …`)
  }
  return name
}

function readSteps(written: WrittenPart, reading: Parameters<typeof readStep>[1]): readonly ChainStep[] {
  const [list = 'steps', other] = STEP_LISTS.filter((name) => written.has(name))
  if (other !== undefined) written.refuse(other, 'steps and chain are two names of one list. Keep one of them.')
  const parts = written.parts(list, 'a step, e.g. { agent: explore, task: … }', MOST_STEPS)
  const read = parts.map((part, index) => readStep(part, reading, index === 0))
  // With a step missing, every name would seem to be wrong.
  if (read.includes(null)) return []
  const steps = read as readonly ChainStep[]
  const agents = steps.reduce((sum, step) => sum + mostAgents(step), 0)
  if (agents > MOST_AGENTS) {
    written.refuse(
      list,
      `Its steps could start ${agents} agents, and a chain can start ${MOST_AGENTS}. Lower count or maxItems, or make it several chains.`,
    )
  }
  checkReferences(steps, (index, field, message) => parts[index]!.refuseAt(field, message))
  return steps
}

function mostAgents(step: ChainStep): number {
  if (step.kind === 'sequential') return 1
  if (step.kind === 'expand') return step.expand.maxItems
  return step.children.reduce((sum, { count }) => sum + count, 0)
}

function timeoutOf(
  written: WrittenPart,
  { timeoutMs, maxRuntimeMs }: { readonly timeoutMs?: number | null; readonly maxRuntimeMs?: number | null },
): number | null {
  const isGivenTwice = typeof timeoutMs === 'number' && typeof maxRuntimeMs === 'number'
  if (isGivenTwice && timeoutMs !== maxRuntimeMs) {
    written.refuse('maxRuntimeMs', `timeoutMs is ${timeoutMs}, and the two are aliases of one limit. Keep one of them.`)
  }
  return timeoutMs ?? maxRuntimeMs ?? null
}
