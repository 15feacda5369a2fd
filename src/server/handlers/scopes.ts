import { endedRuns, endedRunView } from '../../operate/history/ended-runs.ts'
import { entryView } from '../../operate/history/entry-view.ts'
import { changedLimitsView, changeLimits } from '../../operate/limits/change-limits.ts'
import { explainScope } from '../../operate/scopes/explain-scope.ts'
import { pauseScope } from '../../operate/scopes/pause-scope.ts'
import { scopeDetails } from '../../operate/scopes/scope-details.ts'
import { showScope } from '../../operate/scopes/show-scope.ts'
import { stopScope } from '../../operate/scopes/stop-scope.ts'
import { readTask, shownTaskView } from '../../operate/tasks/read-task.ts'
import { requestView, reservationView, scopeView } from '../../operate/views/scope-view.ts'
import { parseLimits } from '../../policy/index.ts'
import { operatorFor, shownPath, shownScope } from '../server-context.ts'
import type { Handlers } from './handler.ts'
import { mostRead, onlyShown } from './only-shown.ts'
import { resumeShown } from './resume-shown.ts'

const MOST_LISTED = 1_000
const MOST_ENTRIES = 200

/** What is said of a scope, and what is done to it. */
export const SCOPE_HANDLERS: Pick<
  Handlers,
  | 'GET /api/tree'
  | 'GET /api/scopes'
  | 'GET /api/scopes/:id'
  | 'GET /api/scopes/:id/history'
  | 'GET /api/scopes/:id/explain'
  | 'POST /api/scopes/:id/pause'
  | 'POST /api/scopes/:id/resume'
  | 'POST /api/scopes/:id/stop'
  | 'POST /api/scopes/:id/limits'
  | 'GET /api/runs'
> = {
  'GET /api/tree': ({ context, caller }) => context.tree.snapshot(caller.scopeId),

  async 'GET /api/scopes'({ context, caller, query }) {
    const { standing = 'open', parent, most = MOST_LISTED } = query
    if (parent !== undefined) await shownScope(context, caller, parent)
    const filter = { standing, ...(parent === undefined ? {} : { parentId: parent }) }
    // One more than are listed, and the scope of the server itself.
    const read = mostRead(caller, most + 2)
    const found = await context.store.list({ ...filter, most: read, atMs: context.nowMs() })
    const shown = await onlyShown(context, caller, found, ({ id }) => id)
    const scopes = await scopeDetails(operatorFor(context, caller), shown.slice(0, most))
    return { scopes: scopes.map(scopeView), isTruncated: shown.length > most || found.length >= read }
  },

  async 'GET /api/scopes/:id'({ context, caller, params }) {
    const path = await shownPath(context, caller, params.id)
    const shown = await showScope(operatorFor(context, caller), params.id)
    const task = readTask(context.tasksFolder, params.id, shown.scope)
    return {
      scope: scopeView(shown.scope),
      ancestors: shown.ancestors.slice(shown.ancestors.length - path.length + 1).map(scopeView),
      reservations: { open: shown.open.map(reservationView), assumed: shown.assumed.map(reservationView) },
      requests: shown.requests.map(requestView),
      denials: shown.denials,
      task: task === null ? null : shownTaskView(task),
    }
  },

  async 'GET /api/scopes/:id/history'({ context, caller, params, query }) {
    const { since, before, kinds, from = 'first', most = MOST_ENTRIES } = query
    await shownScope(context, caller, params.id)
    const page = await context.store.history({
      scopeId: params.id,
      most,
      latest: from === 'last',
      ...(since === undefined ? {} : { since }),
      ...(before === undefined ? {} : { before }),
      ...(kinds === undefined ? {} : { kinds }),
      atMs: context.nowMs(),
    })
    if (page.kind === 'reset') return { entries: [], cursor: page.cursor, hasMore: false, isReset: true }
    return {
      entries: page.entries.map((entry) => ({ ...entryView(entry) })),
      cursor: page.cursor,
      hasMore: page.hasMore,
      isReset: false,
    }
  },

  async 'GET /api/scopes/:id/explain'({ context, caller, params }) {
    const path = await shownPath(context, caller, params.id)
    const explained = await explainScope(context, path[path.length - 1]!)
    return { ...explained, scopes: explained.scopes.slice(explained.scopes.length - path.length) }
  },

  async 'POST /api/scopes/:id/pause'({ context, caller, params, body }) {
    const scope = await shownScope(context, caller, params.id)
    const { pause: _, ...paused } = await pauseScope(
      operatorFor(context, caller),
      scope,
      reasonFrom(body.reason, caller.by),
    )
    return paused
  },

  'POST /api/scopes/:id/resume': resumeShown,

  async 'POST /api/scopes/:id/stop'({ context, caller, params, body }) {
    const scope = await shownScope(context, caller, params.id)
    return stopScope(operatorFor(context, caller), scope, reasonFrom(body.reason, caller.by))
  },

  async 'POST /api/scopes/:id/limits'({ context, caller, params, body }) {
    const scope = await shownScope(context, caller, params.id)
    const layers = [parseLimits(body.limits, { layer: 'call', call: `the HTTP API by ${caller.by}` })]
    const { ceilings } = context
    return changedLimitsView(await changeLimits(operatorFor(context, caller), scope, { layers, ceilings }))
  },

  async 'GET /api/runs'({ context, caller, query }) {
    const { sinceMs = 0, most = MOST_ENTRIES } = query
    const { runs, isTruncated } = await endedRuns(context, { sinceMs, most: mostRead(caller, most) })
    const shown = await onlyShown(context, caller, runs, ({ scope }) => scope.id)
    return { runs: shown.slice(0, most).map(endedRunView), isTruncated: isTruncated || shown.length > most }
  },
}

function reasonFrom(reason: string | undefined, by: string): string {
  return reason === undefined || reason.trim() === '' ? `by ${by} on the dashboard` : reason
}
