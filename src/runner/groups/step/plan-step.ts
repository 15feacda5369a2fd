import { dirname, extname, join } from 'node:path'
import type { ChainStep, ChildContext, ChildStep } from '../chain/chain.ts'
import { childId, keyWord } from '../child-id.ts'
import { shareLimits } from '../child-share.ts'
import type { GroupRun } from '../group-run.ts'
import { type ExpandedItem, expandItems } from './expand-items.ts'
import { fillTask, type TemplateValues } from './fill-task.ts'
import type { OutputValue } from './output-values.ts'
import { modelOf } from './step-children.ts'
import { StepError } from './step-error.ts'
import type { PlannedChild, StepPlan } from './step-plan.ts'

/** What earlier steps have left for later ones. */
export interface ChainState {
  readonly previous: OutputValue | null
  readonly outputs: ReadonlyMap<string, OutputValue>
  /** The only agent of the previous step, whose conversation can be continued. */
  readonly lastChild: string | null
}

/** Fills in a step: its items, its tasks, and the share of each agent. Throws `StepError`. Starts nothing. */
export async function planStep(run: GroupRun, index: number, state: ChainState): Promise<StepPlan> {
  const { saved, scope } = run
  const step = saved.steps[index]!
  const drafts = draftsOf(step, state)
  const share = step.kind === 'sequential' ? null : (step.share ?? saved.share)
  const shared = await shareLimits(scope, share, Math.max(1, drafts.length))
  const children = drafts.map((draft) => plannedChild(run, index, draft, state))
  const group = step.kind === 'sequential' ? null : step
  return {
    format: 'stint-step/1',
    step: index,
    children: children.map((child) => ({ ...child, limits: [...child.limits, ...shared] })),
    items: step.kind === 'expand' ? drafts.map(({ item }) => item?.item) : null,
    concurrency: Math.min(group?.concurrency ?? saved.concurrency, (await scope.usage()).concurrency.limit ?? 256),
    failFast: group?.failFast ?? false,
  }
}

/** An agent to start, before anything is filled in. */
interface Draft {
  readonly child: ChildStep
  /** `null`: the only one of its step. */
  readonly key: string | null
  readonly item: ExpandedItem | null
  readonly itemName: string
  readonly worktree: boolean
  /** Whether other copies run alongside it, so that their files need different names. */
  readonly isOneOfMany: boolean
}

function draftsOf(step: ChainStep, { outputs }: ChainState): readonly Draft[] {
  const plain = { item: null, itemName: '', worktree: false, isOneOfMany: false }
  if (step.kind === 'sequential') return [{ ...plain, child: step.child, key: null }]
  const { worktree } = step
  if (step.kind === 'expand') {
    const { expand, child } = step
    const items = expandItems(expand, outputs.get(expand.from.output) ?? { text: '' })
    return items.map((item) => ({ child, key: item.key, item, itemName: expand.item, worktree, isOneOfMany: true }))
  }
  const copies = step.children.flatMap((child) => Array.from({ length: child.count }, () => child))
  return copies.map((child, place) => {
    return { ...plain, child, key: String(place + 1), worktree, isOneOfMany: child.count > 1 }
  })
}

function plannedChild({ saved, files }: GroupRun, index: number, draft: Draft, state: ChainState): PlannedChild {
  const { child, key, item, itemName, worktree, isOneOfMany } = draft
  const values: TemplateValues = {
    task: saved.task,
    previous: state.previous,
    outputs: state.outputs,
    sharedFolder: files.shared,
    ...(item === null ? {} : { item: { name: itemName, key: item.key, value: item.item } }),
  }
  // The tasks of a parallel group are plain text: braces have no meaning in them.
  const fill = (text: string): string => (saved.mode === 'parallel' ? text : fillTask(text, values))
  const word = key === null ? String(index + 1) : keyWord(key)
  const { agent, phase, as, tools, reads, outputMode, progress, outputSchema, acceptance = null, limits } = child
  return {
    id: childId(saved.id, index, key),
    key: key ?? String(index + 1),
    name: `${agent}-${word}`,
    agent,
    task: fill(child.task),
    label: child.label === null ? null : fill(child.label).slice(0, LONGEST_LABEL),
    phase,
    as,
    model: modelOf(saved, child),
    tools,
    reads,
    output: isOneOfMany && typeof child.output === 'string' ? besideOthers(child.output, word) : child.output,
    outputMode,
    progress,
    outputSchema,
    acceptance,
    limits,
    worktree,
    ...contextOf(
      child.context ?? saved.context,
      saved.agents[agent]?.defaultContext ?? null,
      saved.conversation,
      state,
    ),
  }
}

const LONGEST_LABEL = 200

/** `plans/api.md` becomes `plans/api-KEY.md`, so that each copy has its own file. */
function besideOthers(file: string, word: string): string {
  const extension = extname(file)
  const stem = file.slice(0, file.length - extension.length)
  return dirname(file) === '.' ? `${stem}-${word}${extension}` : join(`${stem}-${word}${extension}`)
}

/** Whether it begins with a conversation, and which. A preference of the agent itself is ignored if there is none. */
function contextOf(
  asked: ChildContext | null,
  preferred: ChildContext | null,
  given: readonly unknown[] | null,
  { lastChild }: ChainState,
): Pick<PlannedChild, 'context' | 'forkOf'> {
  const wantsFork = (asked ?? preferred) === 'fork'
  if (!wantsFork || (given === null && lastChild === null)) {
    if (asked === 'fork') throw new StepError('context is fork, and there is no conversation to begin with.')
    return { context: 'fresh', forkOf: null }
  }
  return { context: 'fork', forkOf: lastChild }
}
