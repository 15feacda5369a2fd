import type { ScopeReading } from '../../core/index.ts'
import { type Addition, additionsTo, additionTexts, addToLimits } from '../../operate/limits/add-to-limits.ts'
import { assertResumable, noProcess, pausedBy, resumeScope } from '../../operate/scopes/resume-scope.ts'
import { isOwnerAlive } from '../../operate/scopes/scope-details.ts'
import { findTask } from '../../operate/tasks/find-task.ts'
import { parseLimits } from '../../policy/index.ts'
import type { Answer } from '../contract.ts'
import { operatorFor, type ServerContext, shownScope } from '../server-context.ts'
import type { Caller } from '../session/caller.ts'

/** A request to resume: the same for a scope and for a task. */
export interface ResumeCall {
  readonly context: ServerContext
  readonly caller: Caller
  readonly params: { readonly id: string }
  readonly body: { readonly add?: readonly string[] | undefined }
}

const PLACE = 'add'

/**
 * Resumes a scope: a living process continues, and an agent whose process has ended continues in a new one. Any other
 * program can only be started again by its user.
 */
export async function resumeShown({
  context,
  caller,
  params,
  body,
}: ResumeCall): Promise<Answer<'POST /api/scopes/:id/resume'>> {
  const operator = operatorFor(context, caller)
  const scope = await shownScope(context, caller, params.id)
  await assertResumable(operator, scope)
  const { additions, cuts } = additionsFor(context, scope, body.add)
  const { id, path } = scope
  if (isWithoutProcess(context, scope)) {
    if (!hasTask(context, scope)) throw noProcess(scope)
    await context.starter.resume({ id, add: additionTexts(additions), by: caller.by })
    return { id, path, status: 'running', isStarted: true, cuts }
  }
  await addToLimits(operator, scope, additions)
  await resumeScope(operator, scope, { hasMore: additions.length > 0 })
  for (const below of await pausedBy(operator, scope)) {
    if (!hasTask(context, below)) continue
    await context.starter.resume({ id: below.id, add: [], by: caller.by })
  }
  return { id, path, status: 'running', isStarted: false, cuts }
}

function additionsFor(
  { ceilings }: ServerContext,
  scope: ScopeReading,
  add: readonly string[] | undefined,
): { readonly additions: readonly Addition[]; readonly cuts: readonly string[] } {
  if (add === undefined) return { additions: [], cuts: [] }
  return additionsTo(scope, parseLimits(add, { layer: 'call', call: 'the HTTP API' }), { ceilings, place: PLACE })
}

/** The process of an agent ends with its pause. */
function isWithoutProcess(context: ServerContext, scope: ScopeReading): boolean {
  if (isOwnerAlive(context, scope) === false) return true
  return findTask(context.tasksFolder, scope.id)?.record.status === 'paused'
}

function hasTask({ tasksFolder }: ServerContext, { id }: ScopeReading): boolean {
  return findTask(tasksFolder, id)?.canGoOn === true
}
