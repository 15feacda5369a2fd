import { standingsOf } from '../output/limit-standing.ts'
import { limitJson } from '../output/scope-json.ts'
import type { ListedTask } from './list-tasks.ts'

/** A task as `--json` shows it: the shape that docs/reference/cli.md promises. */
export function taskJson({ record, scope, status, isStale }: ListedTask, folder: string): object {
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
    limits: scope === null ? [] : standingsOf(scope).map(limitJson),
    folder,
  }
}
