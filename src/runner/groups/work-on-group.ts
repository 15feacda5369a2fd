import { type Breach, isLimitExceeded, isStintError } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import { writeWhole } from '../../system/write-whole.ts'
import { matchSchema } from '../run/end/structured-answer.ts'
import { limitLayers } from '../run/limit-layers.ts'
import { errorText } from '../run/record/recorded-tools.ts'
import type { ChainStep } from './chain/chain.ts'
import { childId } from './child-id.ts'
import { emptySlot } from './child-result.ts'
import type { ChildResult } from './group-result.ts'
import type { GroupRun } from './group-run.ts'
import { joinOutputs } from './join-outputs.ts'
import { childAgent } from './run-child.ts'
import { runChildren } from './run-children.ts'
import { readStepPlan } from './saved-group.ts'
import type { OutputValue } from './step/output-values.ts'
import { type ChainState, planStep } from './step/plan-step.ts'
import { StepError } from './step/step-error.ts'
import type { StepPlan } from './step/step-plan.ts'

/** How far a group got. */
export interface GroupOutcome {
  readonly results: readonly ChildResult[]
  /** The output of its last step. */
  readonly output: string
  /** Why a step could not begin; `null` if all steps that were reached did. */
  readonly error: string | null
  readonly breach: Breach | null
}

/** Runs the steps of a group, up to its end or the first step that does not complete. */
export async function workOnGroup(run: GroupRun): Promise<GroupOutcome> {
  const { steps } = run.saved
  const results: ChildResult[] = []
  let state: ChainState = { previous: null, outputs: new Map(), lastChild: null }
  const refusal = await askToStart(run)
  if (refusal !== null) return refusal
  for (const [index, step] of steps.entries()) {
    let plan: StepPlan
    try {
      plan = await prepareStep(run, index, state)
    } catch (error) {
      const isExpected = error instanceof StepError || isLimitExceeded(error)
      if (!isExpected) throw error
      const words = steps.length === 1 ? errorText(error) : `Step ${index + 1}: ${errorText(error)}`
      const left = leftOver(run, index, 'stopped', `Not started. ${words}`)
      const breach = isLimitExceeded(error) ? error.breach : null
      return { results: [...results, ...left], output: state.previous?.text ?? '', error: words, breach }
    }
    const done = await runChildren(run, plan)
    results.push(...done)
    const output = outputOf(step, done)
    if (done.some(({ status }) => status !== 'completed')) {
      const isPaused = done.some(({ status }) => status === 'paused' || status === 'queued')
      const reason = `Not started: step ${index + 1} did not complete.`
      const left = leftOver(run, index + 1, isPaused ? 'queued' : 'stopped', reason)
      return { results: [...results, ...left], output: output.text, error: null, breach: null }
    }
    const wrong = collectProblem(step, plan, done)
    if (wrong !== null) {
      const left = leftOver(run, index + 1, 'stopped', `Not started: step ${index + 1} did not complete.`)
      return { results: [...results, ...left], output: output.text, error: `Step ${index + 1}: ${wrong}`, breach: null }
    }
    state = nextState(state, step, plan, done, output)
  }
  return { results, output: state.previous?.text ?? '', error: null, breach: null }
}

/** Asks before the first agent is started, if the whole group needs approval; `null`: it may start. */
async function askToStart(run: GroupRun): Promise<GroupOutcome | null> {
  const { context, saved, scope, files, signal } = run
  const { waitsForAnswer: waits = true } = context
  // A group that has started was already approved.
  if (saved.consent === null || readStepPlan(files.stepPlan(0), 0) !== null) return null
  const { agents, question: reason } = saved.consent
  const nothing = { output: '', breach: null, error: null }
  try {
    await edgeOf(scope).askToOpen(agents, { reason, waits, signals: [signal] })
    return null
  } catch (error) {
    if (isStintError(error, 'scope_paused'))
      return { ...nothing, results: leftOver(run, 0, 'queued', 'Not started: it waits for an answer.') }
    if (signal.aborted)
      return { ...nothing, results: leftOver(run, 0, 'stopped', 'Not started: the group was stopped.') }
    if (!isLimitExceeded(error)) throw error
    const words = `Not approved. ${error.message}`
    return { ...nothing, results: leftOver(run, 0, 'stopped', words), error: words, breach: error.breach }
  }
}

/** A step with everything filled in, saved, and admitted as a whole: from here on it can be resumed. */
async function prepareStep(run: GroupRun, index: number, state: ChainState): Promise<StepPlan> {
  const { files, log, scope, context } = run
  const file = files.stepPlan(index)
  const known = readStepPlan(file, index)
  const plan = known ?? (await planStep(run, index, state))
  if (known === null) {
    try {
      writeWhole(file, `${JSON.stringify(plan)}\n`)
    } catch (error) {
      log.warn(`The plan of step ${index + 1} could not be written (${errorText(error)}): it cannot be resumed there.`)
    }
  }
  const [first] = plan.children
  const isThere = first !== undefined && run.isResumed && (await context.governor.find(first.id)) !== null
  if (first !== undefined && !isThere) {
    const specs = plan.children.map((child) => {
      const request = {
        agent: childAgent(run.saved, child),
        layers: child.limits,
        task: '',
        workingFolder: '',
        within: scope,
      }
      return {
        name: child.name,
        id: child.id,
        layers: limitLayers(request),
        agentType: child.agent,
        taskId: child.id,
        wrapUp: run.saved.wrapUp,
        waitsForAnswer: context.waitsForAnswer ?? true,
      }
    })
    await edgeOf(scope).enlist(specs)
  }
  tellStep(run, plan)
  return plan
}

function tellStep({ saved, tell }: GroupRun, { step, children }: StepPlan): void {
  const written = saved.steps[step]!
  const own = written.kind === 'sequential' ? written.child : written
  const label =
    own.label ?? own.phase ?? (written.kind === 'sequential' ? written.child.agent : agentCount(children.length))
  const members = children.map(({ id, agent, label: words, task }, place) => {
    return { id, number: place + 1, step: step + 1, agent, label: words ?? task.trim().split('\n', 1)[0]! }
  })
  tell({ kind: 'step', step: step + 1, label, members })
}

const agentCount = (count: number): string => `${count} ${count === 1 ? 'agent' : 'agents'}`

/** The output for the next step: the answer of one agent, or those of several below their headers. */
function outputOf(step: ChainStep, results: readonly ChildResult[]): OutputValue {
  const [only] = results
  if (step.kind === 'sequential' && only !== undefined) return outputValue(only)
  return { text: results.length === 0 ? '(no items)' : joinOutputs(results) }
}

function outputValue({ output, partialOutput, structured }: ChildResult): OutputValue {
  return { text: output ?? partialOutput ?? '', ...(structured === undefined ? {} : { structured }) }
}

function nextState(
  { outputs }: ChainState,
  step: ChainStep,
  plan: StepPlan,
  results: readonly ChildResult[],
  previous: OutputValue,
): ChainState {
  const named = new Map(outputs)
  for (const result of results) if (result.as !== null) named.set(result.as, outputValue(result))
  if (step.kind === 'expand') {
    const structured = collected(plan, results)
    named.set(step.collect.as, { text: JSON.stringify(structured, null, 2), structured })
  }
  return { outputs: named, previous, lastChild: step.kind === 'sequential' ? (results[0]?.id ?? null) : null }
}

/** The answers of a fan-out, in the order of its items. */
function collected({ items }: StepPlan, results: readonly ChildResult[]): readonly unknown[] {
  return results.map(({ key, agent, status, output, structured }, index) => {
    const value = structured === undefined ? {} : { structured }
    return { key, index, item: items?.[index], agent, status, text: output, ...value }
  })
}

function collectProblem(step: ChainStep, plan: StepPlan, results: readonly ChildResult[]): string | null {
  if (step.kind !== 'expand' || step.collect.outputSchema === null) return null
  const matched = matchSchema(collected(plan, results), step.collect.outputSchema)
  return matched.kind === 'valid' ? null : `what was collected does not match collect.outputSchema. ${matched.message}`
}

/** A slot for each agent of the steps from `from` on that would have been started; the size of a fan-out is unknown. */
function leftOver(
  { saved }: GroupRun,
  from: number,
  status: 'stopped' | 'queued',
  reason: string,
): readonly ChildResult[] {
  return saved.steps.slice(from).flatMap((step, offset) => {
    const index = from + offset
    if (step.kind === 'expand') return []
    const children = step.kind === 'sequential' ? [step.child] : step.children
    const copies = children.flatMap((child) => Array.from({ length: child.count }, () => child))
    return copies.map((child, place) => {
      const key = step.kind === 'sequential' ? null : String(place + 1)
      const { agent, task, label, phase, as } = child
      const slot = {
        id: childId(saved.id, index, key),
        agent,
        task,
        step: index + 1,
        key: key ?? String(index + 1),
        label,
        phase,
        as,
      }
      return emptySlot(slot, status, reason)
    })
  })
}
