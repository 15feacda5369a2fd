import { describeSource, displayAmount, isStintError } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { tagParsedLimits } from '../../policy/formats/parsed-limits.ts'
import { askedBefore } from './asked-before.ts'
import type { CostConsent } from './cost-consent.ts'
import type { RunnerContext } from './runner.ts'

/** What is about to be started below a run. */
export interface ToStart {
  /** The id of its task. */
  readonly id: string
  readonly agents: number
  /** The most that it can cost; `null`: no limit bounds it. */
  readonly cost: number | null
  readonly question: string
  readonly signal: AbortSignal | undefined
}

/**
 * Asks before something is started below a run, if it is more than the run may start without asking. The run is paused
 * meanwhile, together with the call that ordered it. Throws `LimitExceededError` if it is denied, and `ScopePausedError`
 * if the runner does not wait for the answer: then the same order is given again when the run is resumed.
 */
export async function askToStart(context: RunnerContext, within: Scope, start: ToStart): Promise<void> {
  const { id, agents, question, signal } = start
  const { consent, waitsForAnswer: waits = true } = context
  const more = consent === undefined ? '' : await costs(consent, start)
  const reason = `${question}${more}`
  const asked = askedBefore(context, within)
  const isDenied = await asked.wasDenied(id)
  try {
    await edgeOf(within).askToOpen(agents, { reason, waits, isDenied, signals: [signal] })
  } catch (error) {
    if (isStintError(error, 'scope_paused')) asked.remember(id)
    else consent?.drop(id)
    throw error
  }
}

/**
 * Adds the worst-case cost of what is started. Once that exceeds what may be planned without asking, the run may start
 * nothing more without an answer: its agent limit is lowered to what it has. Returns the text for the question.
 */
async function costs(consent: CostConsent, { id, cost }: ToStart): Promise<string> {
  const { scope, above } = consent
  const { spawns, cost: spent } = await scope.usage()
  const left = (await edgeOf(scope).remainingOnPath()).get('cost') ?? null
  const most = cost === null || left === null ? (cost ?? left) : Math.min(cost, left)
  const beside = consent.plannedBeside(id)
  // Without a bound: more than any limit can be, and still a number in JSON.
  const total = Math.max(beside, spent.settled) + (most ?? Number.MAX_SAFE_INTEGER)
  consent.plan(id, total - beside)
  if (total <= above.max) return ''
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
