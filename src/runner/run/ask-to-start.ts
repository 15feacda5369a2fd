import { describeSource, displayAmount } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { tagParsedLimits } from '../../policy/formats/parsed-limits.ts'
import type { CostConsent } from './cost-consent.ts'
import type { RunnerContext } from './runner.ts'

/** What is about to be started below a run. */
export interface ToStart {
  readonly agents: number
  /** The most that it can cost; `null`: no limit bounds it. */
  readonly cost: number | null
  readonly question: string
  readonly signal: AbortSignal | undefined
}

/**
 * Asks before something is started below a run, where it is more than that run may start unasked, and waits for the
 * answer: the run stands meanwhile, with the call that ordered it. Throws `LimitExceededError` after a no.
 */
export async function askToStart(context: RunnerContext, within: Scope, start: ToStart): Promise<void> {
  const { agents, question: reason, signal } = start
  const { consent } = context
  const more = consent === undefined ? '' : await costs(consent, start)
  await edgeOf(within).askToOpen(agents, { reason: `${reason}${more}`, waits: true, signals: [signal] })
}

/**
 * Counts what is started at the most that it can cost. From where that is more than may be planned unasked, the run may
 * start nothing more without an answer: its number of agents is what it has. Returns what is said about it.
 */
async function costs(consent: CostConsent, { cost }: ToStart): Promise<string> {
  const { scope, above } = consent
  const { spawns, cost: spent } = await scope.usage()
  const left = (await edgeOf(scope).remainingOnPath()).get('cost') ?? null
  const most = cost === null || left === null ? (cost ?? left) : Math.min(cost, left)
  consent.planned = most === null ? Number.POSITIVE_INFINITY : Math.max(consent.planned, spent.settled) + most
  if (consent.planned <= above.max) return ''
  const source = { ...above.source, written: 'agents' }
  const place = describeSource(source)
  const isSet = scope
    .explain()
    .some(({ meter, source: own }) => meter === 'spawns' && describeSource({ ...own, layer: 'call' }) === place)
  if (!isSet) {
    const set = { kind: 'set', meter: 'spawns', per: null, timeZone: null, nearing: null, action: 'ask' } as const
    const entries = [{ ...set, max: spawns.settled, source }]
    await scope.setLimits(tagParsedLimits({ layer: 'call', entries, onLimit: null, nearing: null, timeZone: null }))
  }
  return ` What it has started and this can cost more than ${displayAmount('cost', above.max)} together (${place}).`
}
