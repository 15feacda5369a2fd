import { type Clock, type LedgerStore, StintError } from '../../core/index.ts'
import { createRuns, localRun, startNestedRunServer } from '../../exec/index.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import { refusePausedBudget, unpausedBudget } from '../../operate/budgets/refuse-paused-budget.ts'
import { aboutCommand } from '../about-here.ts'
import type { CommandContext } from '../command-context.ts'
import { budgetsOf } from '../flags/caller-from.ts'
import { followAsks } from '../on-ask/follow-asks.ts'
import { openGovernor } from '../open-governor.ts'
import type { ExecDocument } from './exec-document.ts'
import { type ExecPlace, totalsOf } from './exec-place.ts'
import type { ExecPlan } from './exec-plan.ts'
import { configuredKeys, execUpstreams } from './exec-upstreams.ts'
import { nestedRunFacts } from './nested-run-facts.ts'

export interface LocalPlaceOptions {
  readonly clock: Clock
  /** How long a paused run keeps its command waiting. */
  readonly pauseMs: number
  readonly document: ExecDocument
  /** The run to resume; `null`: a new one. */
  readonly resumes: string | null
  /** Aborted when it should no longer wait for its place. */
  readonly signal: AbortSignal
}

// The command has ended: we wait only for the usage of these calls, not for their answers.
const DRAIN_MS = 10_000

/** Opens an independent run: the ledger, a governor, a gateway, and last the scope, so that its clocks start late. */
export async function openLocalPlace(
  context: CommandContext,
  plan: ExecPlan,
  options: LocalPlaceOptions,
): Promise<ExecPlace> {
  const { platform } = context
  const config = context.config()
  const store = await context.store({ create: true })
  const { clock } = options
  const upstreams = execUpstreams(context, plan)
  const governing = openGovernor(config, store, { clock, isHolderAlive: platform.isHolderAlive })
  const { governor } = governing
  const opened: { close(): Promise<void> }[] = [governing, followAsks(context, governor, configuredKeys(context))]
  const closeOpened = async (): Promise<void> => {
    for (const each of opened.reverse()) await each.close()
  }
  try {
    const runs = createRuns(governor)
    const gateway: Gateway = await platform.startGateway({
      upstreams,
      admission: runs,
      onCall: runs.onCall,
      onRequest: runs.onRequest,
      onGiveUp: runs.onGiveUp,
      bounds: { pauseMs: options.pauseMs },
    })
    opened.push({ close: () => gateway.close(0) })
    const nestedRuns = await startNestedRunServer({
      runs,
      gatewayUrl: gateway.url,
      ...nestedRunFacts(config, upstreams),
    })
    opened.push(nestedRuns)
    const scope = await openScope(context, store, governor, plan, options)
    const known = runs.add(scope)
    await store.note({ scopeId: scope.id, document: JSON.stringify(options.document), atMs: clock.wallMs() })
    const run = localRun(known, gateway.url, nestedRuns.tokenFor(scope.id))
    return {
      run,
      hasIdleLimit: scope.limits().some(({ meter }) => meter === 'idleTime'),
      async leave(outcomeOf, state) {
        await gateway.close(DRAIN_MS)
        const totals = await totalsOf(run)
        const outcome = outcomeOf(totals)
        const { status } = outcome
        if (status === 'paused') {
          const conversation = { ...options.document, sessionId: totals.sessionId ?? options.document.sessionId }
          await scope.pause({ conversation, loopEnds: true, reason: state?.breaches?.[0].message ?? 'paused' })
        } else await run.close(status)
        await closeOpened()
        return { outcome, totals }
      },
      // If that fails, `leave` reports it.
      hurry: () => void gateway.close(0).catch(() => {}),
    }
  } catch (error) {
    await closeOpened().catch(() => {})
    throw error
  }
}

async function openScope(
  context: CommandContext,
  store: LedgerStore,
  governor: Governor,
  plan: ExecPlan,
  { resumes, signal }: LocalPlaceOptions,
): Promise<Scope> {
  if (resumes !== null) {
    const scope = await governor.find(resumes)
    if (scope === null) throw new StintError('unknown_scope', `The run ${resumes} is no longer in the ledger.`)
    await scope.resume({ by: context.by })
    return scope
  }
  const reader = { store, nowMs: context.platform.nowMs }
  const within = plan.within === null ? null : await governor.budget(await unpausedBudget(reader, plan.within))
  const { name, layers, agentType, caller } = plan
  for (const key of budgetsOf(caller)) await refusePausedBudget(reader, key)
  // The gateway sees from the requests whether there will be a closing call to reserve for.
  const wrapUp = plan.wrapUp ? {} : { wrapUp: false }
  const about = aboutCommand(context, plan)
  return governor.open({ name, layers, within, agentType, signal, about, ...caller, ...wrapUp })
}
