import type { Paint } from '../output/paint.ts'
import type { ExecResult } from './exec-report.ts'
import { requestsIn } from './is-governed.ts'

/** The outcome of a command's model calls; empty if there is nothing to report. */
export function callLine({ supervised, keptBack, usage, governed }: ExecResult, paint: Paint): string {
  const { state } = supervised
  if (!governed) return paint.red(`  ${NO_CALL}${keysText(keptBack)}`)
  if (requestsIn(state) === 0) return usage.modelCalls.settled > 0 ? '' : '  calls: 0'
  const { calls, clamps, refusedByStint, refusedByProvider, unanswered } = state
  const parts = [
    `${calls} answered${clamps === 0 ? '' : ` (${clamps} with less output than requested)`}`,
    ...(refusedByStint === 0 ? [] : [`${refusedByStint} refused by Stint`]),
    ...(refusedByProvider === 0 ? [] : [`${refusedByProvider} refused by the provider`]),
    ...(unanswered === 0 ? [] : [`${unanswered} unanswered`]),
  ]
  const line = `  calls: ${parts.join(', ')}`
  return calls === 0 ? paint.red(line) : line
}

const NO_CALL = 'calls: 0 — no model call of the command went through Stint, so only its time limits had an effect.'

function keysText(keptBack: readonly string[]): string {
  if (keptBack.length === 0) return ''
  return keptBack.length === 1
    ? ` The key ${keptBack[0]} was withheld from it.`
    : ` The keys ${keptBack.join(', ')} were withheld from it.`
}
