import * as z from 'zod/mini'
import { EVENT_NAMES } from '../../core/index.ts'
import { alertList } from './alerts.ts'
import type { ApiRoutes } from './api-route.ts'
import { actualAmounts, assumedList, corrected } from './assumed.ts'
import { budget, budgetList } from './budgets.ts'
import { history } from './calls.ts'
import { findings, health } from './health.ts'
import { createdKey, keyList, revokedKey, role } from './keys.ts'
import { agentAverages, costParts, forecast, limitHits, SPEND_GROUPS, spend, suggestions, tried } from './reports.ts'
import { answeredRequest, requestList } from './requests.ts'
import {
  changedLimits,
  endedRuns,
  explanation,
  limitTexts,
  paused,
  resumed,
  scopeDetails,
  scopeList,
  stopped,
  tree,
} from './scopes.ts'
import { credentials, session, startedSession } from './session.ts'
import { interrupted, startedRun, taskDetails, taskList, transcript } from './tasks.ts'

const MOST = 1_000

const id = z.string().check(z.minLength(1), z.maxLength(300))
const words = z.string().check(z.maxLength(2_000))
/** A whole number as it is written in an address. */
const number = z.coerce.number().check(z.int(), z.minimum(0))
const most = z.optional(number.check(z.minimum(1), z.maximum(MOST)))
const sinceMs = z.optional(number)
const nothing = z.strictObject({})
const reason = z.strictObject({ reason: z.optional(words) })
const more = z.strictObject({
  /** What to add to its limits, as on the command line: `cost=1`, `turns=10`. */
  add: z.optional(limitTexts),
})
/** `sinceMs`: epoch milliseconds. `scope`: only this scope and what is below it. */
const span = z.strictObject({ sinceMs, untilMs: sinceMs, scope: z.optional(id) })

/** Every address of the API. */
export const API = {
  'GET /health': {
    summary: 'Whether the server is up and reaches its ledger.',
    role: null,
    reach: 'public',
    answer: health,
  },
  'GET /metrics': {
    summary: 'The figures for Prometheus.',
    role: 'viewer',
    reach: 'everything',
    answer: 'text',
  },
  'POST /api/session': {
    summary: 'Signs a browser in with the one-time token of a link, or with an API key.',
    role: null,
    reach: 'public',
    body: credentials,
    answer: startedSession,
  },
  'GET /api/session': { summary: 'Who is signed in.', role: 'viewer', reach: 'within', answer: session },
  'POST /api/session/end': {
    summary: 'Signs the browser out.',
    role: 'viewer',
    reach: 'within',
    body: nothing,
    answer: nothing,
  },
  'GET /api/tree': {
    summary: 'The live tree: every open scope, and what ended in the last hour.',
    role: 'viewer',
    reach: 'within',
    answer: tree,
  },
  'GET /api/stream': {
    summary: 'Follows the tree, the requests and the alerts as server-sent events.',
    role: 'viewer',
    reach: 'within',
    query: z.strictObject({ since: z.optional(z.string().check(z.maxLength(100))) }),
    answer: 'stream',
  },
  'GET /api/scopes': {
    summary: 'Scopes in full, the earliest opened first.',
    role: 'viewer',
    reach: 'within',
    query: z.strictObject({
      standing: z.optional(z.enum(['open', 'ended', 'all'])),
      parent: z.optional(id),
      most,
    }),
    answer: scopeList,
  },
  'GET /api/scopes/:id': {
    summary: 'Everything about one scope except its history.',
    role: 'viewer',
    reach: 'within',
    answer: scopeDetails,
  },
  'GET /api/scopes/:id/history': {
    summary: 'What happened in a scope and below it: calls, waits, pauses, limits.',
    role: 'viewer',
    reach: 'within',
    query: z.strictObject({
      /** Only after this number. */
      since: z.optional(number),
      /** Only before this number. */
      before: z.optional(number),
      /** Names of events, separated by commas. */
      kinds: z.optional(
        z.pipe(
          z.pipe(
            z.string(),
            z.transform((text: string) => text.split(',')),
          ),
          z.array(z.enum(EVENT_NAMES)),
        ),
      ),
      /** `last`: if there are more than `most`, the latest. */
      from: z.optional(z.enum(['first', 'last'])),
      most,
    }),
    answer: history,
  },
  'GET /api/scopes/:id/explain': {
    summary: 'Every limit on the path of a scope, with where it was written.',
    role: 'viewer',
    reach: 'within',
    answer: explanation,
  },
  'POST /api/scopes/:id/pause': {
    summary: 'Admits nothing more in a scope and below it.',
    role: 'operator',
    reach: 'within',
    body: reason,
    answer: paused,
  },
  'POST /api/scopes/:id/resume': {
    summary: 'Resumes a paused scope, with more of its limits if asked for.',
    role: 'operator',
    reach: 'within',
    body: more,
    answer: resumed,
  },
  'POST /api/scopes/:id/stop': {
    summary: 'Ends a run and everything below it.',
    role: 'operator',
    reach: 'within',
    body: reason,
    answer: stopped,
  },
  'POST /api/scopes/:id/limits': {
    summary: 'Raises or lowers limits, within their ceilings.',
    role: 'operator',
    reach: 'within',
    body: z.strictObject({ limits: limitTexts }),
    answer: changedLimits,
  },
  'GET /api/requests': {
    summary: 'Requests for more, the earliest first.',
    role: 'viewer',
    reach: 'within',
    query: z.strictObject({ status: z.optional(z.enum(['open', 'approved', 'denied', 'expired'])) }),
    answer: requestList,
  },
  'POST /api/requests/:id/approve': {
    summary: 'Grants a request, in part if an amount is given.',
    role: 'operator',
    reach: 'within',
    body: z.strictObject({
      /** How much to grant, in whole numbers of the unit of the request. Default: all of it. */
      amount: z.optional(z.int().check(z.minimum(1))),
    }),
    answer: answeredRequest,
  },
  'POST /api/requests/:id/deny': {
    summary: 'Denies a request.',
    role: 'operator',
    reach: 'within',
    body: nothing,
    answer: answeredRequest,
  },
  'GET /api/assumed': {
    summary: 'Calls that were cut off, or whose process died: charged at their worst case until corrected.',
    role: 'viewer',
    reach: 'within',
    query: z.strictObject({ most }),
    answer: assumedList,
  },
  'POST /api/assumed/:id/settle': {
    summary: 'Corrects the charge of such a call to what it really used.',
    role: 'operator',
    reach: 'within',
    body: z.strictObject({
      /** A meter that is left out stays charged in full. */
      amounts: actualAmounts,
      reason: z.optional(words),
    }),
    answer: corrected,
  },
  'POST /api/assumed/:id/forgive': {
    summary: 'Gives the whole charge of such a call back: nothing was used.',
    role: 'operator',
    reach: 'within',
    body: z.strictObject({ reason: words.check(z.minLength(1)) }),
    answer: corrected,
  },
  'GET /api/budgets': {
    summary: 'Every budget, oldest first, with nested budgets after their parent.',
    role: 'viewer',
    reach: 'within',
    answer: budgetList,
  },
  'GET /api/budgets/:id': {
    summary: 'A budget and the runs that spend from it.',
    role: 'viewer',
    reach: 'within',
    answer: budget,
  },
  'POST /api/budgets': {
    summary: 'Sets limits of a budget, and creates it if needed.',
    role: 'operator',
    reach: 'everything',
    body: z.strictObject({ id, limits: limitTexts, within: z.optional(id) }),
    answer: changedLimits,
  },
  'GET /api/runs': {
    summary: 'Runs that have ended, the last first.',
    role: 'viewer',
    reach: 'within',
    query: z.strictObject({ sinceMs, most }),
    answer: endedRuns,
  },
  'POST /api/runs': {
    summary: 'Starts an agent, if the config has `serve.runs`.',
    role: 'admin',
    reach: 'everything',
    body: z.strictObject({
      agent: id,
      task: z.string().check(z.minLength(1), z.maxLength(100_000)),
      limits: z.optional(limitTexts),
      /** The budget that pays. */
      budget: z.optional(id),
    }),
    answer: startedRun,
  },
  'GET /api/tasks': {
    summary: 'The runs of agents that this machine has files of: open ones, and the newest of those that ended.',
    role: 'viewer',
    reach: 'within',
    query: z.strictObject({ most }),
    answer: taskList,
  },
  'GET /api/tasks/:id': {
    summary: 'A task with its result.',
    role: 'viewer',
    reach: 'within',
    answer: taskDetails,
  },
  'GET /api/tasks/:id/transcript': {
    summary: 'The conversation of a run.',
    role: 'viewer',
    reach: 'within',
    query: z.strictObject({ from: z.optional(number), most }),
    answer: transcript,
  },
  'POST /api/tasks/:id/resume': {
    summary: 'Resumes a paused task; if its process has ended, in a new one in the background.',
    role: 'operator',
    reach: 'within',
    body: more,
    answer: resumed,
  },
  'POST /tasks/:id/resume': {
    summary: 'The same for programs: the `resume_url` of a paused task.',
    role: 'operator',
    reach: 'within',
    onlyKeys: true,
    body: more,
    answer: resumed,
  },
  'POST /api/tasks/:id/interrupt': {
    summary: 'Ends a task; its process hands over what it has.',
    role: 'operator',
    reach: 'within',
    body: nothing,
    answer: interrupted,
  },
  'GET /api/keys': {
    summary: 'Every key, without the key itself.',
    role: 'admin',
    reach: 'everything',
    answer: keyList,
  },
  'POST /api/keys': {
    summary: 'Creates a key: with a role for the API, without one for the gateway.',
    role: 'admin',
    reach: 'everything',
    body: z.strictObject({
      /** Required without a role. */
      scope: z.optional(id),
      role: z.optional(role),
      name: z.optional(z.string().check(z.maxLength(200))),
      expiresAtMs: z.optional(z.int()),
    }),
    answer: createdKey,
  },
  'POST /api/keys/:id/revoke': {
    summary: 'Revokes a key for good.',
    role: 'admin',
    reach: 'everything',
    body: nothing,
    answer: revokedKey,
  },
  'GET /api/reports/spend': {
    summary: 'What calls came to, by one group.',
    role: 'viewer',
    reach: 'within',
    query: z.extend(span, { by: z.enum(SPEND_GROUPS), most }),
    answer: spend,
  },
  'GET /api/reports/cost': {
    summary: 'Where the money went: fresh input, cache, output, thinking, closing calls, assumed.',
    role: 'viewer',
    reach: 'within',
    query: span,
    answer: costParts,
  },
  'GET /api/reports/limits': {
    summary: 'Runs at their limits, by hour and by what the limit did.',
    role: 'viewer',
    reach: 'within',
    query: span,
    answer: limitHits,
  },
  'GET /api/reports/agents': {
    summary: 'Averages of turns, time and cost by agent type.',
    role: 'viewer',
    reach: 'within',
    query: span,
    answer: agentAverages,
  },
  'GET /api/reports/forecast': {
    summary: 'Which limits run out first at the current rate, and when.',
    role: 'viewer',
    reach: 'within',
    answer: forecast,
  },
  'GET /api/reports/suggestions': {
    summary: 'Limits that most successful runs would have kept within.',
    role: 'viewer',
    reach: 'everything',
    query: z.strictObject({ agent: z.optional(id), sinceMs }),
    answer: suggestions,
  },
  'GET /api/reports/trial': {
    summary: 'Which past runs of an agent other limits would have cut, and what that would have saved.',
    role: 'viewer',
    reach: 'everything',
    query: z.strictObject({
      agent: id,
      /** As on the command line, separated by commas: `turns=12,cost=0.5`. */
      limits: z.string().check(z.minLength(1), z.maxLength(1_000)),
      sinceMs,
    }),
    answer: tried,
  },
  'GET /api/alerts': {
    summary: 'Alerts that were raised, the last first.',
    role: 'viewer',
    reach: 'within',
    query: z.strictObject({ sinceMs, most }),
    answer: alertList,
  },
  'GET /api/findings': {
    summary: 'What `stint doctor` finds in the ledger.',
    role: 'operator',
    reach: 'everything',
    answer: findings,
  },
} as const satisfies ApiRoutes
