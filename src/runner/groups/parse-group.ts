import type { AgentProblem } from '../../agents/agent-problem.ts'
import { InvalidOptionError } from '../../core/index.ts'
import { type Chain, type ChildContext, isChain, type ParallelStep, type Share } from './chain/chain.ts'
import { CHAIN_RULES, GROUP_RULES, MOST_CHILDREN } from './chain/chain-fields.ts'
import { originInCode } from './chain/chain-origin.ts'
import { InvalidChainError } from './chain/invalid-chain-error.ts'
import { parseChain } from './chain/parse-chain.ts'
import { readChild, readShare } from './chain/read-step.ts'
import { writtenPart } from './chain/written-part.ts'
import type { ChainRequest, GroupRequest, ParallelRequest } from './group-request.ts'

/** A group, parsed and checked. */
export interface ParsedGroup {
  readonly mode: 'parallel' | 'chain'
  readonly task: string
  readonly chain: Pick<
    Chain,
    'name' | 'steps' | 'limits' | 'askAbove' | 'timeoutMs' | 'untrustedModels' | 'warnings' | 'source' | 'file'
  >
  readonly concurrency: number
  readonly share: Share | null
  readonly context: ChildContext | null
}

const DEFAULT_CONCURRENCY = 4
const LONGEST_TASK = 1024 * 1024

/** Reads the tasks of a parallel group. Throws `InvalidChainError` with all problems. */
export function parseParallel(request: ParallelRequest): ParsedGroup {
  const call = 'runner.parallel'
  const { name = 'parallel', tasks, failFast, worktree } = request
  const problems: AgentProblem[] = []
  const origin = originInCode(call)
  const written = writtenPart(origin, given({ tasks, failFast, worktree }), '', problems)
  const fields = written.read(GROUP_RULES)
  const what = 'an agent with its task, e.g. { agent: "explore", task: "map the tests" }'
  const warnings: string[] = []
  const children = written.parts('tasks', what, MOST_CHILDREN).flatMap((part) => {
    if (!part.has('task')) part.refuse(null, 'The task is missing. Write task: "…".')
    return readChild(part, { origin, warnings }, '') ?? []
  })
  const agents = children.reduce((sum, { count }) => sum + count, 0)
  if (agents > MOST_CHILDREN)
    written.refuse('tasks', `It would start ${agents} agents; at most ${MOST_CHILDREN} can run.`)
  if (problems.length > 0) throw new InvalidChainError(name, problems)
  const step: ParallelStep = {
    kind: 'parallel',
    children,
    phase: null,
    label: null,
    concurrency: null,
    failFast: fields.failFast ?? false,
    worktree: fields.worktree ?? false,
    share: null,
  }
  const chain = {
    name,
    steps: [step],
    limits: [],
    askAbove: [],
    timeoutMs: null,
    file: null,
    untrustedModels: {},
    warnings,
    source: 'call',
  } as const
  return { mode: 'parallel', task: '', chain, ...settingsOf(request, call, name) }
}

/** Reads a chain to run. Throws `InvalidChainError`. */
export function parseChainRequest(request: ChainRequest): ParsedGroup {
  const call = 'runner.chain'
  const { task, chain: written } = request
  if (typeof task !== 'string' || task.trim() === '' || task.length > LONGEST_TASK) {
    throw new InvalidOptionError('task', task, `text that says what to do, of at most ${LONGEST_TASK} characters`)
  }
  const chain = isChain(written) ? written : parseChain(written, call)
  const { concurrency, share, context } = settingsOf(request, call, chain.name)
  return {
    mode: 'chain',
    task,
    chain,
    concurrency: request.concurrency === undefined ? (chain.concurrency ?? concurrency) : concurrency,
    share,
    context: context ?? chain.context,
  }
}

/** The settings that both have in common. */
function settingsOf(
  { concurrency, share, context }: GroupRequest,
  call: string,
  name: string,
): Pick<ParsedGroup, 'concurrency' | 'share' | 'context'> {
  const problems: AgentProblem[] = []
  const written = writtenPart(originInCode(call), given({ concurrency, share, context }), '', problems)
  const fields = written.read({ concurrency: GROUP_RULES.concurrency, context: CHAIN_RULES.context })
  const read = readShare(written)
  if (problems.length > 0) throw new InvalidChainError(name, problems)
  return { concurrency: fields.concurrency ?? DEFAULT_CONCURRENCY, share: read, context: fields.context ?? null }
}

/** Without undefined values. */
function given(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
