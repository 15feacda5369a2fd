import type { Agent } from '../../agents/index.ts'
import { isStintError } from '../../core/index.ts'
import type { RunResult } from '../run/end/run-result.ts'
import { meterRows } from '../run/meter-rows.ts'
import { rebuiltConversation } from '../run/record/rebuilt-conversation.ts'
import { resumeRun } from '../run/resume-run.ts'
import type { ChildRequest } from '../run/run-request.ts'
import { startRun } from '../run/start-run.ts'
import { taskFiles } from '../tasks/task-files.ts'
import { readTranscript } from '../tasks/transcript.ts'
import { emptySlot, resultOf, resultOfError, slotOf } from './child-result.ts'
import { keepChanges, workingFolderFor } from './child-worktree.ts'
import type { ChildResult } from './group-result.ts'
import type { GroupRun } from './group-run.ts'
import { recordedRun } from './recorded-result.ts'
import type { SavedGroup } from './saved-group.ts'
import type { PlannedChild } from './step/step-plan.ts'

/** Runs one agent of a group, or resumes it. Never throws: an error is part of its result. */
export async function runChild(
  run: GroupRun,
  step: number,
  child: PlannedChild,
  signal: AbortSignal,
): Promise<ChildResult> {
  const slot = slotOf(child, step)
  try {
    const known = run.isResumed ? await recordedRun(run.context, child.id) : ({ kind: 'new' } as const)
    if (known.kind === 'ended') return await keepChanges(run, child, resultOf(slot, known.result))
    if (signal.aborted) return emptySlot(slot, 'stopped', 'Not started: the group was stopped.')
    const result = await (known.kind === 'begun' ? goOn(run, child, signal) : start(run, child, signal))
    return await keepChanges(run, child, resultOf(slot, result))
  } catch (error) {
    return resultOfError(slot, error)
  }
}

async function start(run: GroupRun, child: PlannedChild, signal: AbortSignal): Promise<RunResult> {
  const request = childRequest(run, child, await workingFolderFor(run, child))
  return startRun(run.context, request, optionsFor(run, child, signal))
}

async function goOn(run: GroupRun, child: PlannedChild, signal: AbortSignal): Promise<RunResult> {
  try {
    return await resumeRun(run.context, child.id, optionsFor(run, child, signal))
  } catch (error) {
    // It has just ended.
    if (!isStintError(error, 'scope_closed')) throw error
    const known = await recordedRun(run.context, child.id)
    if (known.kind === 'ended') return known.result
    throw error
  }
}

function optionsFor({ tell, scope }: GroupRun, { id }: PlannedChild, signal: AbortSignal) {
  return {
    signal,
    onProgress: (progress: Parameters<NonNullable<Parameters<typeof startRun>[2]['onProgress']>>[0]): void => {
      tell({ kind: 'member', id, progress })
      if (progress.kind === 'meters') tell({ kind: 'pool', rows: meterRows(scope) })
    },
  }
}

/** The agent of a child: the settings of its step override those of the agent's file. */
export function childAgent(
  { agents, untrustedModels }: Pick<SavedGroup, 'agents' | 'untrustedModels'>,
  child: Pick<PlannedChild, 'agent' | 'model' | 'outputMode' | 'progress'>,
): Agent {
  const known = agents[child.agent]!
  return {
    ...known,
    untrustedModels: { ...known.untrustedModels, ...untrustedModels },
    model: child.model ?? known.model,
    outputMode: child.outputMode ?? known.outputMode,
    defaultProgress: child.progress ?? known.defaultProgress,
  }
}

function childRequest(
  { saved, scope, files, isResumed, context }: GroupRun,
  child: PlannedChild,
  workingFolder: string,
): ChildRequest {
  const { id, name, tools, reads, output, outputSchema, acceptance = null, task, label } = child
  const conversation = child.context === 'fork' ? conversationFor(context.taskFolder, saved.conversation, child) : []
  return {
    agent: childAgent(saved, child),
    id,
    name,
    task,
    workingFolder,
    layers: child.limits,
    within: scope,
    reads,
    conversation,
    wrapUp: saved.wrapUp,
    description: label,
    group: { id: saved.id, sharedFolder: files.shared, isRestart: isResumed, isEntered: true },
    ...(tools === null ? {} : { allowedTools: tools }),
    ...(output === null ? {} : { output }),
    ...(outputSchema === null ? {} : { outputSchema }),
    ...(acceptance === null ? {} : { contract: acceptance }),
  }
}

function conversationFor(
  taskFolder: string,
  given: readonly unknown[] | null,
  { forkOf }: PlannedChild,
): readonly unknown[] {
  if (forkOf === null) return given ?? []
  return rebuiltConversation(readTranscript(taskFiles(taskFolder, forkOf).transcript)).messages
}
