import { addedParts, type CostParts, totalOf } from '../../core/index.ts'
import { noneTriedView, triedView } from '../../operate/advice/advice-view.ts'
import { suggestLimits } from '../../operate/advice/suggest-limits.ts'
import { assertTriable, tryLimits } from '../../operate/advice/try-limits.ts'
import { readLog } from '../../operate/history/read-log.ts'
import { costPartsView } from '../../operate/reports/cost-labels.ts'
import { readPayers } from '../../operate/reports/payers.ts'
import { parseLimits, resolveLimits } from '../../policy/index.ts'
import { agentAverages } from '../reports/agent-averages.ts'
import { alertView } from '../reports/alert-view.ts'
import { forecast } from '../reports/forecast.ts'
import { limitHits } from '../reports/limit-hits.ts'
import { shownSums, spanOf } from '../reports/shown-sums.ts'
import { spendRows } from '../reports/spend-rows.ts'
import { suggestionsOf } from '../reports/suggestions-of.ts'
import { shownScope } from '../server-context.ts'
import type { Handlers } from './handler.ts'
import { onlyShown } from './only-shown.ts'

const MOST_ROWS = 1_000
const MOST_FORECAST = 50
const MOST_EVENTS = 10_000
const MOST_ENDED = 5_000
const MOST_ALERTS = 200
const DAY_MS = 86_400_000
const SUGGEST_FROM_MS = 30 * DAY_MS

/** Figures over time. */
export const REPORT_HANDLERS: Pick<
  Handlers,
  | 'GET /api/reports/spend'
  | 'GET /api/reports/cost'
  | 'GET /api/reports/limits'
  | 'GET /api/reports/agents'
  | 'GET /api/reports/forecast'
  | 'GET /api/reports/suggestions'
  | 'GET /api/reports/trial'
  | 'GET /api/alerts'
> = {
  async 'GET /api/reports/spend'({ context, caller, query }) {
    const { by, most = MOST_ROWS, ...span } = query
    if (span.scope !== undefined) await shownScope(context, caller, span.scope)
    const sums = await context.reports.sums.get([caller.scopeId, span], () => shownSums(context, caller, span))
    const payers = by === 'user' || by === 'team' ? await readPayers(context) : new Map<string, string>()
    return { by, ...spanOf(context, span), ...spendRows(sums, { by, payers, most }) }
  },

  async 'GET /api/reports/cost'({ context, caller, query }) {
    if (query.scope !== undefined) await shownScope(context, caller, query.scope)
    const sums = await context.reports.sums.get([caller.scopeId, query], () => shownSums(context, caller, query))
    let costs: CostParts = {}
    for (const sum of sums) costs = addedParts(costs, sum.costs)
    const parts = costPartsView(costs).map((part) => ({ ...part, tokens: null }))
    return { ...spanOf(context, query), costNanoUsd: totalOf(costs), parts, isComplete: costs.other === undefined }
  },

  async 'GET /api/reports/limits'({ context, caller, query }) {
    const scopeId = query.scope ?? caller.scopeId
    if (scopeId !== null) await shownScope(context, caller, scopeId)
    return context.reports.limits.get([scopeId, query], async () => {
      const span = spanOf(context, query)
      const { sinceMs } = span
      const log = await readLog(context, { scopeId, sinceMs, kinds: ['limit_exceeded'], most: MOST_EVENTS })
      const events = log.entries.map(({ event }) => event).filter(({ ts }) => Date.parse(ts) < span.untilMs)
      return { ...span, ...limitHits(events) }
    })
  },

  async 'GET /api/reports/agents'({ context, caller, query }) {
    const { scope } = query
    if (scope !== undefined) await shownScope(context, caller, scope)
    return context.reports.agents.get([caller.scopeId, query], async () => {
      const { sinceMs, untilMs } = spanOf(context, query)
      const filter = { standing: 'ended', endedSinceMs: sinceMs, most: MOST_ENDED, atMs: context.nowMs() } as const
      const ended = (await context.store.list(filter)).filter(({ closedAtMs }) => (closedAtMs ?? 0) < untilMs)
      const bound = { scopeId: scope ?? caller.scopeId }
      const shown = await onlyShown(context, bound, ended, ({ id }) => id)
      return { sinceMs, untilMs, agents: agentAverages(shown) }
    })
  },

  async 'GET /api/reports/forecast'({ context, caller }) {
    const { scopes } = await context.tree.snapshot(caller.scopeId)
    return { limits: forecast(scopes, context.nowMs(), MOST_FORECAST) }
  },

  async 'GET /api/reports/suggestions'({ context, query }) {
    const { agent = null, sinceMs = Math.max(0, context.nowMs() - SUGGEST_FROM_MS) } = query
    return context.reports.suggestions.get([agent, query.sinceMs], async () => {
      const advice = await suggestLimits(context, { agent, sinceMs })
      return { sinceMs, suggestions: advice.flatMap(suggestionsOf) }
    })
  },

  async 'GET /api/reports/trial'({ context, caller, query }) {
    const { agent, sinceMs = Math.max(0, context.nowMs() - SUGGEST_FROM_MS) } = query
    const written = query.limits.split(',').map((text) => text.trim())
    const layer = parseLimits(written, { layer: 'call', call: `the HTTP API by ${caller.by}` })
    const { limits } = resolveLimits([layer])
    assertTriable(limits, 'limits')
    return context.reports.tried.get([agent, written, query.sinceMs], async () => {
      const found = await tryLimits(context, { agent, limits, sinceMs })
      return found === null ? noneTriedView(agent) : triedView(found)
    })
  },

  async 'GET /api/alerts'({ context, caller, query }) {
    const { sinceMs = Math.max(0, context.nowMs() - DAY_MS), most = MOST_ALERTS } = query
    return context.reports.alerts.get([caller.scopeId, query.sinceMs, most], async () => {
      const log = await readLog(context, { scopeId: caller.scopeId, sinceMs, kinds: ['alert_raised'], most })
      const alerts = log.entries.flatMap(({ event, number }) => alertView(event, number) ?? [])
      return { alerts: alerts.reverse(), isTruncated: log.isTruncated }
    })
  },
}
