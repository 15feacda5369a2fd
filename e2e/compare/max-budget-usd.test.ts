import { describe, expect, it } from 'vitest'
import { loopForEver } from '../../src/testing/provider/index.ts'
import { type AgentProgram, CLOSING } from '../programs/agent-program.ts'
import { claudeCode } from '../programs/claude-code.ts'
import { stageProgram } from '../run-program.ts'
import { showComparison } from './show-comparison.ts'

const BUDGET_USD = 0.5
const BUDGET_NANO_USD = BUDGET_USD * 1_000_000_000

// Every answer has 4,000 tokens, as an answer that writes a file has.
const script = loopForEver({ ...claudeCode.tool, outputTokens: 4_000, closing: CLOSING })
const withItsOwnLimit: AgentProgram = {
  ...claudeCode,
  directCommand: () => [...claudeCode.command, '--max-budget-usd', String(BUDGET_USD)],
}

describe('claude --max-budget-usd', () => {
  it('stops after the budget is spent, without an answer; Stint stops before, with one', async () => {
    const own = await stageProgram(withItsOwnLimit, script)
    const ownEnd = await own.runDirectly()
    const ours = await stageProgram(claudeCode, script)
    const oursEnd = await ours.exec(['--limit', `cost=${BUDGET_USD}`])
    showComparison(`Claude Code, $${BUDGET_USD}`, [
      { limit: `claude --max-budget-usd ${BUDGET_USD}`, book: own.provider.book(), answer: ownEnd.stdout },
      { limit: `stint exec --limit cost=${BUDGET_USD} -- claude`, book: ours.provider.book(), answer: oursEnd.stdout },
    ])
    expect(own.provider.book().costNanoUsd).toBeGreaterThan(BUDGET_NANO_USD)
    expect(ownEnd.stdout).toContain('Exceeded USD budget')
    expect(ours.provider.book().costNanoUsd).toBeLessThanOrEqual(BUDGET_NANO_USD)
    expect(oursEnd.stdout.trim()).toBe(CLOSING)
  })
})
