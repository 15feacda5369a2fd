import { type Agent, agentNamed } from '../../agents/index.ts'
import { assertScopeName, InvalidOptionError } from '../../core/index.ts'
import { tagParsedLimits } from '../../policy/formats/parsed-limits.ts'
import type { LayerInput, SharedLimits } from '../../policy/index.ts'
import { askAboveLayers, consentLayers, thresholdFrom } from '../run/consent-layers.ts'
import { timeoutLayer } from '../run/limit-layers.ts'
import { prepareRun } from '../run/prepare-run.ts'
import type { RunnerContext } from '../run/runner.ts'
import { cleanRepositoryAt, makeWorktreeFolder } from '../worktrees/index.ts'
import type { ChainStep } from './chain/chain.ts'
import { worktreeFolderOf } from './child-worktree.ts'
import type { GroupFiles } from './group-files.ts'
import type { GroupRequest } from './group-request.ts'
import type { ParsedGroup } from './parse-group.ts'
import { certainAgents } from './plan/certain-agents.ts'
import type { Plan } from './plan/plan.ts'
import { planQuestion } from './plan/plan-question.ts'
import { planSaved } from './plan/plan-saved.ts'
import { boundOf, smallerOf } from './plan/worst-case.ts'
import { childAgent } from './run-child.ts'
import type { SavedGroup } from './saved-group.ts'
import { childrenOf, modelOf } from './step/step-children.ts'

/** A group that can start: every name in it was checked, and nothing was started. */
export interface PreparedGroup {
  readonly saved: SavedGroup
  /** Its worst case. */
  readonly plan: Plan
  /** How many agents it starts, and the question to the person who approves it. */
  readonly consent: { readonly agents: number; readonly question: string }
  /** The most that it can cost; `null`: no limit bounds it. */
  readonly cost: number | null
  /** The limits of the whole group. */
  readonly layers: readonly LayerInput[]
  readonly sharedLimits: SharedLimits
  readonly warnings: readonly string[]
}

/** Checks a group, and reads everything it needs, so that later changes to files have no effect. */
export async function prepareGroup(
  context: RunnerContext,
  files: GroupFiles,
  id: string,
  request: GroupRequest,
  group: ParsedGroup,
): Promise<PreparedGroup> {
  const described = await describeGroup(context, id, request, group)
  checkConversation(request)
  const warnings = await checkChildren(context, files, described.saved, request)
  if (described.saved.repository !== null) makeWorktreeFolder(worktreeFolderOf(context))
  return { ...described, warnings: [...group.chain.warnings, ...warnings] }
}

/** A group is saved before it starts, including the conversation. */
function checkConversation({ conversation = [] }: GroupRequest): void {
  try {
    JSON.stringify(conversation)
  } catch {
    throw new InvalidOptionError('conversation', conversation, 'messages that can be written as JSON')
  }
}

/** What a group would run with. Resolves no model, so that a plan needs no key. */
export async function describeGroup(
  context: RunnerContext,
  id: string,
  request: GroupRequest,
  group: ParsedGroup,
): Promise<Omit<PreparedGroup, 'warnings'>> {
  const { workingFolder, conversation = null, model = null, description = null } = request
  const { chain, mode, task, concurrency, share, context: asked } = group
  const name = request.name ?? chain.name
  assertScopeName(name)
  const draft: Omit<SavedGroup, 'consent'> = {
    format: 'stint-group/1',
    id,
    name,
    mode,
    task,
    workingFolder,
    repository: chain.steps.some(hasWorktrees) ? await cleanRepositoryAt(workingFolder) : null,
    steps: chain.steps,
    agents: agentsOf(context, workingFolder, chain.steps),
    concurrency,
    share,
    context: asked,
    conversation,
    model,
    untrustedModels: chain.untrustedModels,
    description,
    wrapUp: request.wrapUp !== false,
    startedAtMs: Date.now(),
  }
  checkForks(draft)
  const layers = groupLayers(request, group)
  const threshold = thresholdFrom(askAboveOf(request, group))
  const plan = planSaved(draft, layers, threshold)
  const consent = { agents: startedAgents(plan), question: planQuestion(plan) }
  const isCostly = plan.asks.some(({ meter }) => meter === 'cost')
  return {
    saved: { ...draft, consent },
    consent,
    cost: smallerOf(plan.worstCase.cost, boundOf(plan.limits, 'cost')),
    plan,
    layers: [...layers, ...consentLayers(layers, threshold, { isCostly })],
    sharedLimits: sharedLimitsOf(request, Object.values(draft.agents)),
  }
}

/** How many agents it can start at most, under its own limit on `spawns`. */
function startedAgents({ steps, limits }: Plan): number {
  return Math.min(certainAgents(steps), boundOf(limits, 'spawns') ?? Number.POSITIVE_INFINITY)
}

/** What may be started before a person is asked: from the config and the chain's file, then the call. */
function askAboveOf({ askAbove }: GroupRequest, { mode, chain }: ParsedGroup): readonly LayerInput[] {
  const given = askAboveLayers(askAbove, `runner.${mode}`)
  const isOfCall = ({ layer }: LayerInput): boolean => layer === 'call'
  return [...given.filter((each) => !isOfCall(each)), ...chain.askAbove, ...given.filter(isOfCall)]
}

/** Limits of the config and the environment, then of the chain's file, then of the call: each ranks by its layer's name. */
function groupLayers(request: GroupRequest, { mode, chain }: ParsedGroup): readonly LayerInput[] {
  const { layers = [] } = request
  const isOfCall = ({ layer }: LayerInput): boolean => layer === 'call'
  return [
    ...layers.filter((each) => !isOfCall(each)),
    ...deadlineOf(chain),
    ...chain.limits,
    ...layers.filter(isOfCall),
    ...timeoutLayer(request, `runner.${mode}`),
  ]
}

/** The chain's own deadline ends it, whatever the action of its other limits. */
function deadlineOf({ name, file, source: from, timeoutMs }: ParsedGroup['chain']): readonly LayerInput[] {
  if (timeoutMs === null) return []
  const layer = from === 'call' ? 'project' : from
  const place = file === null ? { call: `the chain "${name}"` } : { file }
  const source = { layer, written: 'timeoutMs', field: 'timeoutMs', ...place } as const
  const set = { kind: 'set', meter: 'wallTime', max: timeoutMs, per: null, timeZone: null, nearing: null } as const
  const entries = [{ ...set, action: 'terminate', source } as const]
  return [tagParsedLimits({ layer, entries, onLimit: null, nearing: null, timeZone: null })]
}

function sharedLimitsOf({ sharedLimits }: GroupRequest, agents: readonly Agent[]): SharedLimits {
  const { team = [], user = [] } = sharedLimits ?? {}
  return {
    team: [...agents.flatMap(({ limits }) => limits.team), ...team],
    user: [...agents.flatMap(({ limits }) => limits.user), ...user],
  }
}

/** Every named agent, from its current file. Throws if there is none, or it is invalid. */
function agentsOf(
  context: RunnerContext,
  workingFolder: string,
  steps: readonly ChainStep[],
): Readonly<Record<string, Agent>> {
  const found = context.findAgents(workingFolder)
  const names = new Set(steps.flatMap(childrenOf).map(({ agent }) => agent))
  return Object.fromEntries([...names].map((name) => [name, agentNamed(found, name)]))
}

/**
 * A step can begin with a conversation only if there will be one: that of the caller, or of a single agent before it.
 */
function checkForks({ steps, context, conversation }: Pick<SavedGroup, 'steps' | 'context' | 'conversation'>): void {
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1]
    if (conversation !== null || before?.kind === 'sequential') continue
    const asks = childrenOf(step).some((child) => (child.context ?? context) === 'fork')
    if (!asks) continue
    const form =
      index === 0
        ? '"fresh" in the first step: there is no conversation to begin with'
        : '"fresh" behind a step with several agents: it is not said with whose conversation it would begin'
    throw new InvalidOptionError(`context of step ${index + 1}`, 'fork', form)
  }
}

function hasWorktrees(step: ChainStep): boolean {
  return step.kind !== 'sequential' && step.worktree
}

/** Plans the run of each agent as if it started now, so that problems are found before anything runs. */
async function checkChildren(
  context: RunnerContext,
  files: GroupFiles,
  saved: SavedGroup,
  { team, user, within, sharedLimits }: GroupRequest,
): Promise<readonly string[]> {
  const warnings = new Set<string>()
  const checked = new Set<string>()
  for (const [index, step] of saved.steps.entries()) {
    for (const child of childrenOf(step)) {
      // Files to read may be written by an earlier step.
      const reads = index === 0 ? child.reads : []
      const { agent, model, tools, output, outputMode, progress, outputSchema, acceptance = null, limits } = child
      const alike = JSON.stringify({ agent, model, tools, output, outputSchema, acceptance, reads, limits })
      if (checked.has(alike)) continue
      checked.add(alike)
      const plan = await prepareRun(context, files, saved.id, {
        agent: childAgent(saved, { agent, model: modelOf(saved, child), outputMode, progress }),
        task: 'checked',
        workingFolder: saved.workingFolder,
        layers: limits,
        reads,
        ...(tools === null ? {} : { allowedTools: tools }),
        ...(output === null ? {} : { output }),
        ...(outputSchema === null ? {} : { outputSchema }),
        ...(acceptance === null ? {} : { contract: acceptance }),
        ...(within === undefined ? {} : { within }),
        ...(team === undefined ? {} : { team }),
        ...(user === undefined ? {} : { user }),
        ...(sharedLimits === undefined ? {} : { sharedLimits }),
      })
      for (const warning of plan.warnings) warnings.add(warning)
    }
  }
  return [...warnings]
}
