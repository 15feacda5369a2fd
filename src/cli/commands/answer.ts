import type { Command } from 'commander'
import { formatAmount, type IncreaseRecord, type LedgerStore, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { findById } from '../ledger/find-by-id.ts'
import { refuseOwnRun } from '../ledger/refuse-own-run.ts'
import type { Report } from '../output/report.ts'
import { requestJson } from '../output/scope-json.ts'
import type { RunCommand } from '../run-command.ts'
import { amountFromText } from './amount-from-text.ts'
import { examples } from './help-text.ts'

/** `stint approve ID` and `stint deny ID`: answer a request for more. */
export function addAnswers(program: Command, run: RunCommand): void {
  program
    .command('approve')
    .description('give a scope more, as it asked for; never more than the scopes above have left')
    .argument('<ID>', 'the id of the request, or the beginning of it')
    .option('--amount <VALUE>', 'a part of it, or more, e.g. 10, 50k or 0.50 (dollars)')
    .addHelpText('after', examples('stint approve 3f2a', 'stint approve 3f2a --amount 0.50'))
    .action((id: string, options: { amount?: string }, command: Command) =>
      run(command, (context) => answer(context, id, 'approved', options.amount)),
    )
  program
    .command('deny')
    .description('refuse a request for more: then the limit does what it does without asking')
    .argument('<ID>', 'the id of the request, or the beginning of it')
    .addHelpText('after', examples('stint deny 3f2a'))
    .action((id: string, _: unknown, command: Command) => run(command, (context) => answer(context, id, 'denied')))
}

async function answer(
  context: CommandContext,
  text: string,
  verdict: 'approved' | 'denied',
  amountText?: string,
): Promise<Report> {
  const { platform, by } = context
  const store = await context.store()
  const { id: requestId, meter, scopeId, scopePath } = await findRequest(store, text)
  if (verdict === 'approved') await refuseOwnRun(context, store, { id: scopeId, path: scopePath })
  const amount = amountText === undefined ? {} : { amount: amountFromText(meter, amountText, '--amount') }
  const outcome = await store.answer({ requestId, verdict, ...amount, by, atMs: platform.nowMs() })
  if (outcome.kind === 'unknown') throw new StintError('unknown_request', `The request ${requestId} is gone.`)
  const { request } = outcome
  if (outcome.kind === 'duplicate') {
    const who = request.by === null ? '' : ` by ${request.by}`
    throw new StintError('unknown_request', `That request was answered before: ${request.status}${who}. That stands.`)
  }
  const isRefused = verdict === 'approved' && request.status !== 'approved'
  return {
    json: { request: requestJson(request) },
    text: isRefused ? refusedText(request) : answeredText(request),
    exitCode: isRefused ? 1 : 0,
  }
}

async function findRequest(store: LedgerStore, text: string): Promise<IncreaseRecord> {
  const remedy = '`stint requests` lists those that wait for an answer.'
  return findById(await store.requests({}), text, { code: 'unknown_request', what: 'request', remedy })
}

function answeredText({ status, granted, meter, scopePath }: IncreaseRecord): string {
  if (status !== 'approved') return `Denied: ${printable(scopePath)} gets no more ${meter}.`
  return `Approved: ${printable(scopePath)} has ${formatAmount(meter, granted ?? 0)} more ${meter}.`
}

function refusedText({ meter, scopePath }: IncreaseRecord): string {
  return (
    `Not approved: the scopes above ${printable(scopePath)} have no more ${meter} to give, or it has ended. ` +
    'The request is denied. Raise a scope above it first: `stint show` tells what each has left.'
  )
}
