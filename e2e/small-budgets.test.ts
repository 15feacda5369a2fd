// npm run e2e -- small-budgets: an answer at every limit, and as much of the budget used as is safe. See small-budgets/.
import { describe, expect, it } from 'vitest'
import type { AgentProgram } from './programs/agent-program.ts'
import { claudeCode } from './programs/claude-code.ts'
import { codex } from './programs/codex.ts'
import { opencode } from './programs/opencode.ts'
import { pi } from './programs/pi.ts'
import { leastFor, sweepProgram } from './small-budgets/sweep-program.ts'
import { problemsIn, tableOf } from './small-budgets/sweep-row.ts'
import { runServed } from './small-budgets/sweep-served.ts'
import { VARIANTS } from './small-budgets/variants.ts'

const NANO_PER_USD = 1_000_000_000
const LONGEST_MS = 30 * 60_000
const PROGRAMS: Readonly<Record<string, AgentProgram>> = { 'claude-code': claudeCode, codex, pi, opencode }

// What `--programs=`, `--variants=` and `--budgets=` of the command line say.
const { SMALL_BUDGETS_PROGRAMS, SMALL_BUDGETS_VARIANTS, SMALL_BUDGETS } = process.env
const programs = listOf(SMALL_BUDGETS_PROGRAMS) ?? [...Object.keys(PROGRAMS), 'serve']
const variants = listOf(SMALL_BUDGETS_VARIANTS) ?? VARIANTS.map(({ name }) => name)
const budgets = listOf(SMALL_BUDGETS)?.map(Number) ?? null

function listOf(text: string | undefined): readonly string[] | null {
  return text === undefined || text === '' ? null : text.split(',')
}

const SWEEPS = Object.entries(PROGRAMS)
  .filter(([name]) => programs.includes(name))
  .flatMap(([, program]) =>
    VARIANTS.filter(({ name }) => variants.includes(name)).map((variant) => ({ program, variant })),
  )

const underExec = () => {
  it.each(SWEEPS)('$program.name, $variant.name', { timeout: LONGEST_MS }, async ({ program, variant }) => {
    const rows = await sweepProgram(program, variant, budgets)
    console.log(`\n${tableOf(`${program.name}, ${variant.name}`, rows)}\n`)
    expect(problemsIn(rows, variant.floorsOf?.(program))).toEqual([])
  })
}

const throughServe = () => {
  it('each that was admitted has its answer, and the budget holds', { timeout: LONGEST_MS }, async () => {
    const clients = [claudeCode, codex, pi]
    const least =
      budgets === null ? (await Promise.all(clients.map((each) => leastFor(each)))).reduce((a, b) => a + b) : 0
    const chosen = budgets ?? [1, 2, 5, 10].map((times) => Math.ceil(least * times * 100) / 100)
    const problems: string[] = []
    for (const budgetUsd of chosen) {
      const row = await runServed(budgetUsd, clients)
      const ends = row.clients.map(({ name, end, said }) => `${name} ${end}${said === '' ? '' : `: ${said}`}`)
      console.log(`\n| $${budgetUsd} | ${row.toolCalls} | $${row.spentNanoUsd / NANO_PER_USD} | ${ends.join(' | ')} |`)
      if (row.spentNanoUsd > budgetUsd * NANO_PER_USD) problems.push(`$${budgetUsd}: ${row.spentNanoUsd} spent`)
      if (row.spentNanoUsd !== row.ledgerNanoUsd) problems.push(`$${budgetUsd}: the ledger has ${row.ledgerNanoUsd}`)
      if (row.clients.every(({ end }) => end === 'refused')) problems.push(`$${budgetUsd}: every client was refused`)
      problems.push(...ends.filter((_, at) => row.clients[at]!.end === 'neither').map((end) => `$${budgetUsd}: ${end}`))
    }
    expect(problems).toEqual([])
  })
}

// A part that was not asked for is not there at all.
if (SWEEPS.length > 0) describe('small budgets under stint exec', underExec)
if (programs.includes('serve'))
  describe('three clients at once on one lasting budget, through stint serve', throughServe)
