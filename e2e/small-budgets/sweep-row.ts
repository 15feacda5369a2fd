/** One run of a program under one budget. Money in nano-USD. */
export interface SweepRow {
  readonly budgetUsd: number
  readonly toolCalls: number
  /** By the provider's own book. */
  readonly spentNanoUsd: number
  /** By the ledger. */
  readonly ledgerNanoUsd: number
  /** `null`: even a player who knows every answer would not get through the first call. */
  readonly possibleNanoUsd: number | null
  /** The same of a budget smaller by `MARGIN`: what estimates and counts of a prompt may be too large by. */
  readonly surelyPossibleNanoUsd: number | null
  readonly isAnswered: boolean
  /** Of `stint exec`; `null` where there was none. */
  readonly exitCode: number | null
  /** What was said instead of an answer. */
  readonly note: string
}

/** From so many times the least on, at least this share of the budget is used. */
export interface ShareFloor {
  readonly times: number
  readonly share: number
}

const NANO_PER_USD = 1_000_000_000
const LEAST_OF_POSSIBLE = 0.9

/** A provider's own count is taken with 2 % and 300 tokens more, and twice: for a call, and for its closing call. */
export const MARGIN = 0.06

/** What a sweep must not show, in sentences; rows in the order of their budgets, the least first. */
export function problemsIn(rows: readonly SweepRow[], floors: readonly ShareFloor[] = []): readonly string[] {
  const least = rows[0]?.budgetUsd ?? 0
  return rows.flatMap((row, place) => {
    const floor = floors.findLast(({ times }) => row.budgetUsd >= times * least)
    return problemsOf(row, rows[place - 1], floor).map((problem) => `cost=${row.budgetUsd}: ${problem}`)
  })
}

function problemsOf(row: SweepRow, before: SweepRow | undefined, floor: ShareFloor | undefined): readonly string[] {
  const { budgetUsd, spentNanoUsd, ledgerNanoUsd, surelyPossibleNanoUsd: possible, toolCalls, exitCode } = row
  const used = spentNanoUsd / (budgetUsd * NANO_PER_USD)
  const problems: string[] = []
  if (!row.isAnswered) problems.push(`no answer (${row.note})`)
  if (exitCode !== null && exitCode !== 124) problems.push(`exit ${exitCode} instead of 124`)
  if (spentNanoUsd > budgetUsd * NANO_PER_USD) problems.push(`${usd(spentNanoUsd)} spent`)
  if (spentNanoUsd !== ledgerNanoUsd) problems.push(`the ledger has ${ledgerNanoUsd}, the provider ${spentNanoUsd}`)
  if (before !== undefined && toolCalls < before.toolCalls) {
    problems.push(`${toolCalls} tool calls, and ${before.toolCalls} with less`)
  }
  if (possible !== null && spentNanoUsd < LEAST_OF_POSSIBLE * possible) {
    problems.push(`${usd(spentNanoUsd)} used of ${usd(possible)} that were possible`)
  }
  // Where not even the player gets that far, it cannot be asked for.
  const mostShare = row.possibleNanoUsd === null ? 0 : row.possibleNanoUsd / (budgetUsd * NANO_PER_USD)
  if (floor !== undefined && used < Math.min(floor.share, mostShare)) {
    problems.push(`${percent(used)} used, and ${percent(floor.share)} is the least from ${floor.times} times on`)
  }
  return problems
}

/** The rows as a table in Markdown. */
export function tableOf(program: string, rows: readonly SweepRow[]): string {
  const head = ['program', 'budget', 'tool calls', 'spent', 'used', 'possible', 'used/possible', 'answer']
  const lines = rows.map(({ budgetUsd, toolCalls, spentNanoUsd, possibleNanoUsd, isAnswered, note }) => [
    program,
    `$${budgetUsd}`,
    String(toolCalls),
    usd(spentNanoUsd),
    percent(spentNanoUsd / (budgetUsd * NANO_PER_USD)),
    possibleNanoUsd === null ? '–' : usd(possibleNanoUsd),
    possibleNanoUsd === null ? '–' : (spentNanoUsd / possibleNanoUsd).toFixed(2),
    isAnswered ? 'yes' : `**no**${note === '' ? '' : `: ${note}`}`,
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function usd(nanoUsd: number): string {
  return `$${(nanoUsd / NANO_PER_USD).toFixed(4)}`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
