import { type IncreaseRecord, type LedgerStore, type ScopeReading, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import { formatMaximum } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { findById } from '../ledger/find-by-id.ts'
import { refuseInsideLedger } from '../ledger/refuse-own-run.ts'
import { requestedLimit } from '../ledger/requested-limit.ts'
import { endAtLimit, leftWaitingFor } from '../ledger/waiting-for.ts'
import type { Report } from '../output/report.ts'
import { requestJson } from '../output/scope-json.ts'
import { amountFromText } from './amount-from-text.ts'

/** `stint approve ID` and `stint deny ID`. */
export async function answer(
  context: CommandContext,
  text: string,
  verdict: 'approved' | 'denied',
  amountText?: string,
): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const asked = await findRequest(store, text)
  const { id: requestId, meter } = asked
  const { written } = (await requestedLimit(store, asked, platform.nowMs())).source
  if (verdict === 'approved') await refuseInsideLedger(context, store, 'Approving a request')
  const amount = amountText === undefined ? {} : { amount: amountFromText(meter, amountText, '--amount', written) }
  const outcome = await store.answer({ requestId, verdict, ...amount, by, atMs: platform.nowMs() })
  if (outcome.kind === 'unknown') throw new StintError('unknown_request', `The request ${requestId} is gone.`)
  const { request } = outcome
  if (outcome.kind === 'duplicate') {
    const who = request.by === null ? '' : ` by ${request.by}`
    throw new StintError('unknown_request', `That request was answered before: ${request.status}${who}. That stands.`)
  }
  const isRefused = verdict === 'approved' && request.status !== 'approved'
  const left = await leftWaitingFor(store, requestId, platform)
  if (request.status !== 'approved') for (const scope of left) await endAtLimit(store, scope, platform.nowMs)
  return {
    json: { request: requestJson(request), left: left.map(({ id }) => id) },
    text: isRefused ? refusedText(request, written) : answeredText(request, written),
    notices: left.map((scope) => leftNotice(scope, request)),
    exitCode: isRefused ? 1 : 0,
  }
}

/** The process that asked is gone: it cannot go on, or end, by itself. */
function leftNotice({ id, path }: ScopeReading, { status }: IncreaseRecord): string {
  const what = status === 'approved' ? `To go on with it: stint resume ${id}` : 'It has ended at its limit.'
  return `The process of ${printable(path)} is gone. ${what}`
}

async function findRequest(store: LedgerStore, text: string): Promise<IncreaseRecord> {
  const remedy = '`stint requests` lists those that wait for an answer.'
  return findById(await store.requests({}), text, { code: 'unknown_request', what: 'request', remedy })
}

function answeredText({ status, granted, meter, scopePath }: IncreaseRecord, written: string): string {
  if (status !== 'approved') return `Denied: the ${written} limit of ${printable(scopePath)} stays as it is.`
  return `Approved: the ${written} limit of ${printable(scopePath)} is raised by ${formatMaximum(meter, granted ?? 0)}.`
}

function refusedText({ scopePath }: IncreaseRecord, written: string): string {
  return (
    `Not approved: ${printable(scopePath)} is at a ceiling, the scopes above it have no more ${written} to give, or it ` +
    'has ended. The request is denied. `stint explain` tells its ceilings, and `stint show` what the scopes above have ' +
    'left: raise one of those first.'
  )
}
