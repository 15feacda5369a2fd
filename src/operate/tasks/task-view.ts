import { standingsOf } from '../views/limit-standing.ts'
import { limitView } from '../views/scope-view.ts'
import type { ListedTask } from './listed-task.ts'

/** A task: TASK in docs/reference/cli.md. */
export function taskView({ record, scope, status, isStale, folder }: ListedTask) {
  const { id, subject, description, agent, task, model, workingFolder, reason, error, warnings, pid } = record
  const { createdAtMs, startedAtMs, endedAtMs, state, resume_url: resumeUrl } = record
  return {
    id,
    path: scope?.path ?? null,
    agent,
    model,
    status,
    taskStatus: record.status,
    isStale,
    subject,
    description,
    task,
    workingFolder,
    reason,
    error,
    resumeUrl,
    state,
    warnings,
    pid,
    createdAtMs,
    startedAtMs,
    endedAtMs,
    limits: scope === null ? [] : standingsOf(scope).map(limitView),
    folder,
  }
}
