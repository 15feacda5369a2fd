import type { Acceptance } from '../../agents/index.ts'
import { needsReport, reportText } from './contract-text.ts'

/** Sent to an agent whose work is not accepted. `turn`: which of its finalization turns this is, from 1. */
export function sendBackText(
  contract: Acceptance,
  problems: readonly string[],
  turn: number,
  hasSchema: boolean,
): string {
  const { maxFinalizationTurns: most } = contract
  return [
    `Your work is not accepted yet (turn ${turn} of ${most}).`,
    problems.map((problem) => `- ${problem}`).join('\n'),
    'Fix what is wrong, using your tools. Then answer again: if your answer has changed, all of it; otherwise ' +
      (needsReport(contract) ? 'only the report.' : 'say in a sentence what you have fixed.'),
    ...(needsReport(contract) ? [reportText(contract, hasSchema)] : []),
  ].join('\n\n')
}
