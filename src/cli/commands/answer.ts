import { printable } from '../../core/checks/printable.ts'
import type { IncreaseRecord, ScopeReading } from '../../core/index.ts'
import { answeredRequestView, answerRequest, endsWhenDenied } from '../../operate/requests/answer-request.ts'
import { findRequest } from '../../operate/requests/list-requests.ts'
import { formatMaximum } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'
import { amountFromText } from '../flags/amount-from-text.ts'
import { refuseInsideLedger } from '../ledger/refuse-own-run.ts'
import type { Report } from '../output/report.ts'

/** `stint approve ID` and `stint deny ID`. */
export async function answer(
  context: CommandContext,
  text: string,
  verdict: 'approved' | 'denied',
  amountText?: string,
): Promise<Report> {
  const operator = await context.operator()
  const { request: asked, limit } = await findRequest(operator, text)
  const { written } = limit.source
  if (verdict === 'approved') await refuseInsideLedger(context, operator.store, 'Approving a request')
  const amount =
    amountText === undefined ? {} : { amount: amountFromText(asked.meter, amountText, '--amount', written) }
  const answered = await answerRequest(operator, asked, { verdict, ...amount })
  const { request, left } = answered
  const isRefused = verdict === 'approved' && request.status !== 'approved'
  return {
    json: answeredRequestView(answered),
    text: isRefused ? refusedText(request, written) : answeredText(request, written),
    notices: left.map((scope) => leftNotice(scope, request)),
    exitCode: isRefused ? 1 : 0,
  }
}

/** The process that asked is gone, so the run can neither continue nor end by itself. */
function leftNotice(scope: ScopeReading, request: IncreaseRecord): string {
  const { id, path } = scope
  const { status } = request
  const hasEnded = status !== 'approved' && endsWhenDenied(scope, request)
  const without = status === 'approved' ? '' : ' without them'
  const what = hasEnded ? 'It has ended at its limit.' : `To resume it${without}: stint resume ${id}`
  return `The process of ${printable(path)} is gone. ${what}`
}

function answeredText({ status, granted, meter, scopePath }: IncreaseRecord, written: string): string {
  if (status !== 'approved') return `Denied: the ${written} limit of ${printable(scopePath)} is unchanged.`
  return `Approved: the ${written} limit of ${printable(scopePath)} is raised by ${formatMaximum(meter, granted ?? 0)}.`
}

function refusedText({ scopePath }: IncreaseRecord, written: string): string {
  return (
    `Not approved: ${printable(scopePath)} is at a ceiling, the scopes above it have no more ${written} to give, or it ` +
    'has ended. The request is denied. `stint explain` shows its ceilings, and `stint show` what the scopes above have ' +
    'left: raise one of those first.'
  )
}
