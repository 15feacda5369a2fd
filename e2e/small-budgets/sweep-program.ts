import { loopForEver, toolThenText } from '../../src/testing/provider/index.ts'
import { type AgentProgram, CLOSING } from '../programs/agent-program.ts'
import { type StageOptions, stageProgram } from '../run-program.ts'
import { leastIn, twelveBudgets } from './budgets.ts'
import { possibleSpend } from './possible-spend.ts'
import { referenceConversation } from './reference-conversation.ts'
import type { ScriptedConversation } from './scripted-conversation.ts'
import { MARGIN, type SweepRow } from './sweep-row.ts'
import type { Variant } from './variants.ts'

const NANO_PER_USD = 1_000_000_000
const REFERENCE_ROUNDS = 8
// Hundreds of calls, on a machine that has other work.
const LONGEST_MS = 400_000
// Each takes about a core.
const AT_ONCE = 2

/** The program under each of these budgets, or without any under twelve from the least that its refusal names. */
export async function sweepProgram(
  program: AgentProgram,
  variant: Variant,
  budgets: readonly number[] | null,
): Promise<readonly SweepRow[]> {
  const command = variant.commandOf?.(program) ?? program.command
  const options = { caching: variant.caching, longestMs: LONGEST_MS }
  const conversation = await referenceOf(program, variant, command, options)
  const chosen = budgets ?? twelveBudgets(await leastFor(program, command), variant.times)
  const rows: SweepRow[] = []
  for (let at = 0; at < chosen.length; at += AT_ONCE) {
    const together = chosen.slice(at, at + AT_ONCE)
    rows.push(
      ...(await Promise.all(together.map((usd) => runUnder(usd, program, variant, command, options, conversation)))),
    )
  }
  return rows
}

/**
 * What the refusal of far too small a budget says the least would be. A program that asks for a title first is refused
 * that, and then its conversation: the figure that is named last is the one.
 */
export async function leastFor(program: AgentProgram, command = program.command): Promise<number> {
  let least = FAR_TOO_LITTLE_USD
  for (let round = 0; round < MOST_REFUSALS; round++) {
    const { exec } = await stageProgram(program)
    const { report, stdout, stderr } = await exec(['--limit', `cost=${least}`], command)
    if (stdout.includes(CLOSING)) return least
    const named = leastIn(`${JSON.stringify(report)}${stderr}`)
    if (named === null) throw new Error(`The refusal names no least: ${stdout}${stderr}`)
    if (named <= least) return least
    least = named
  }
  return least
}

const FAR_TOO_LITTLE_USD = 0.000_1
const MOST_REFUSALS = 4

/** The conversation without limits, which the same program ends after some rounds. */
async function referenceOf(
  program: AgentProgram,
  { needs }: Variant,
  command: readonly string[],
  options: StageOptions,
): Promise<ScriptedConversation> {
  const stage = await stageProgram(program, toolThenText(REFERENCE_ROUNDS, { ...program.tool, ...needs }), options)
  const { exitCode, stderr } = await stage.exec([], command)
  if (exitCode !== 0) throw new Error(`${program.name} ended with ${exitCode} where it had no limits: ${stderr}`)
  return referenceConversation(stage.provider)
}

async function runUnder(
  budgetUsd: number,
  program: AgentProgram,
  { needs }: Variant,
  command: readonly string[],
  options: StageOptions,
  reference: ScriptedConversation,
): Promise<SweepRow> {
  const script = loopForEver({ ...program.tool, closing: CLOSING, ...needs })
  const { exec, provider } = await stageProgram(program, script, options)
  const { exitCode, stdout, stderr, report } = await exec(['--limit', `cost=${budgetUsd}`], command)
  const { costNanoUsd, toolCalls, entries } = provider.book()
  // The last of the loop: a title that came late is short of tools, too.
  const last = entries.findLast(({ outcome, usage }) => outcome === 'answered' && usage.outputTokens > 0)
  const closing = last === undefined || last.toolCalls > 0 ? null : last.usage
  const conversation = { ...reference, listsSearch: provider.requests.some(({ body }) => listsSearch(body)) }
  return {
    budgetUsd,
    toolCalls,
    spentNanoUsd: costNanoUsd,
    ledgerNanoUsd: report?.usage.cost?.settled ?? 0,
    possibleNanoUsd: possibleSpend(budgetUsd * NANO_PER_USD, conversation, closing)?.spentNanoUsd ?? null,
    surelyPossibleNanoUsd:
      possibleSpend(budgetUsd * NANO_PER_USD * (1 - MARGIN), conversation, closing)?.spentNanoUsd ?? null,
    isAnswered: stdout.includes(CLOSING),
    exitCode,
    note: stdout.includes(CLOSING) ? '' : complaintIn(stdout, stderr),
  }
}

// One that can be forbidden is, as soon as nothing is left for it. Tools in a namespace keep a request from that.
function listsSearch(body: Buffer): boolean {
  return body.includes('"type":"web_search') && body.includes('"type":"namespace"')
}

// Programs say this and that before they say what ended them, some of it in colours.
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g')

/** One line of what was said instead of an answer, short enough for a table. */
export function complaintIn(stdout: string, stderr: string): string {
  const lines = `${stdout}\n${stderr}`.replace(COLOURS, '').split('\n')
  const complaint = lines.find((line) => /\b(402|429|error|incomplete|quota)\b/i.test(line))
  const line = (complaint ?? lines.find((each) => each.trim() !== '') ?? 'nothing').replace(/[\s|]+/g, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 80)}…` : line
}
