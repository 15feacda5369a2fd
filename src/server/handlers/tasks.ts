import { isEnded, isStintError, type ScopeReading, StintError } from '../../core/index.ts'
import { unpausedBudget } from '../../operate/budgets/refuse-paused-budget.ts'
import { SERVER_SCOPE_ID } from '../../operate/keys/server-scope.ts'
import { scopeDetails } from '../../operate/scopes/scope-details.ts'
import { interruptedTaskView, interruptTask } from '../../operate/tasks/interrupt-task.ts'
import { listTasks } from '../../operate/tasks/list-tasks.ts'
import { readConversation } from '../../operate/tasks/read-conversation.ts'
import { readTask, type ShownTask, shownTaskView } from '../../operate/tasks/read-task.ts'
import { taskView } from '../../operate/tasks/task-view.ts'
import { parseLimits } from '../../policy/index.ts'
import { unknownScope } from '../http/refusals.ts'
import { operatorFor, type ServerContext, shownScope } from '../server-context.ts'
import type { Caller } from '../session/caller.ts'
import type { Handlers } from './handler.ts'
import { mostRead, onlyShown } from './only-shown.ts'
import { resumeShown } from './resume-shown.ts'

const MOST_TASKS = 100
const MOST_LINES = 200

/** The runs of agents that this machine has files of. */
export const TASK_HANDLERS: Pick<
  Handlers,
  | 'GET /api/tasks'
  | 'GET /api/tasks/:id'
  | 'GET /api/tasks/:id/transcript'
  | 'POST /api/tasks/:id/resume'
  | 'POST /tasks/:id/resume'
  | 'POST /api/tasks/:id/interrupt'
  | 'POST /api/runs'
> = {
  async 'GET /api/tasks'({ context, caller, query }) {
    const { most = MOST_TASKS } = query
    const mostEnded = mostRead(caller, most)
    const { tasks, older } = await listTasks(operatorFor(context, caller), context.tasksFolder, { mostEnded })
    const shown = await onlyShown(context, caller, tasks, ({ record }) => record.id)
    let ended = 0
    const listed = shown.filter(({ status }) => !isEnded(status) || ended++ < most)
    return { tasks: listed.map(taskView), isTruncated: older > 0 || ended > most }
  },

  'GET /api/tasks/:id': async ({ context, caller, params }) => {
    return shownTaskView(await shownTask(context, caller, params.id))
  },

  async 'GET /api/tasks/:id/transcript'({ context, caller, params, query }) {
    const { files } = await shownTask(context, caller, params.id)
    const { from = 0, most = MOST_LINES } = query
    return readConversation(files.transcript ?? null, { from, most })
  },

  async 'POST /api/tasks/:id/resume'(call) {
    await shownTask(call.context, call.caller, call.params.id)
    return resumeShown(call)
  },

  async 'POST /tasks/:id/resume'(call) {
    await shownTask(call.context, call.caller, call.params.id)
    return resumeShown(call)
  },

  async 'POST /api/tasks/:id/interrupt'({ context, caller, params }) {
    await shownTask(context, caller, params.id)
    const scope = await shownScope(context, caller, params.id)
    const options = { tasksFolder: context.tasksFolder, wait: false }
    const { result: _, ...view } = interruptedTaskView(
      await interruptTask(operatorFor(context, caller), scope, options),
    )
    return { ...view, status: 'stopped' }
  },

  async 'POST /api/runs'({ context, caller, body }) {
    const { agent, task, limits = [], budget = null } = body
    const { agents } = context.starter
    if (agents === null) {
      const message =
        'Starting runs is off. Its operator can allow it: serve.runs: { agents: […], folder } in the config.'
      throw new StintError('not_allowed', message)
    }
    if (!agents.includes(agent)) {
      throw new StintError(
        'unknown_agent',
        `The agent ${JSON.stringify(agent)} cannot be started here: ${agents.join(', ')} can.`,
      )
    }
    // Checked here as well, because the answer of a process that did not start is in the server's output.
    parseLimits(limits, { layer: 'call', call: `the HTTP API by ${caller.by}` })
    if (budget === SERVER_SCOPE_ID) throw unknownScope(budget)
    if (budget !== null) await unpausedBudget(context, budget)
    return { agent, ...(await context.starter.start({ agent, task, limits, budget, by: caller.by })) }
  },
}

/** Throws the same whether a task is foreign or unknown. A task without a scope is seen by those who see everything. */
async function shownTask(context: ServerContext, caller: Caller, id: string): Promise<ShownTask> {
  const scope = await scopeOf(context, caller, id)
  const details = scope === null ? null : (await scopeDetails(operatorFor(context, caller), [scope]))[0]!
  const task = scope === null && caller.scopeId !== null ? null : readTask(context.tasksFolder, id, details)
  if (task === null) throw new StintError('unknown_task', `No task has the id ${JSON.stringify(id)}.`)
  return task
}

async function scopeOf(context: ServerContext, caller: Caller, id: string): Promise<ScopeReading | null> {
  try {
    return await shownScope(context, caller, id)
  } catch (error) {
    if (isStintError(error, 'unknown_scope')) return null
    throw error
  }
}
