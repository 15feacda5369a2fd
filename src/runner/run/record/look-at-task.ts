import { resumeUrl, type TaskRecord } from '../../tasks/task-record.ts'
import type { RunnerContext } from '../runner.ts'
import { taskState, taskStatusOf } from './task-state.ts'

/** A task with its current state in the ledger. Changes nothing. */
export async function lookAtTask({ governor, tasks }: RunnerContext, id: string): Promise<TaskRecord | null> {
  const record = tasks.get(id)
  if (record?.status !== 'in_progress') return record
  const scope = await governor.find(id)
  if (scope === null) return record
  const runStatus = scope.status()
  const status = taskStatusOf(runStatus)
  const state = taskState(await scope.usage())
  if (status === record.status) return { ...record, state }
  const isPaused = status === 'paused'
  return {
    ...record,
    status,
    runStatus,
    state,
    resume_url: isPaused ? resumeUrl(id) : null,
    reason: isPaused ? (record.reason ?? 'Paused') : null,
    error: status === 'failed' ? (record.error ?? `The run ended as ${runStatus}.`) : null,
  }
}
