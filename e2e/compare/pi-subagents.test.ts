import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ProviderScript } from '../../src/testing/provider/index.ts'
import { type AgentProgram, CLOSING } from '../programs/agent-program.ts'
import { pi } from '../programs/pi.ts'
import { stageProgram } from '../run-program.ts'
import { answersIn, CHILDREN, fanOutScript, POOL_TOKENS, showFanOuts } from './fan-out.fixture.ts'
import { fanOutOfStint } from './fan-out-of-stint.ts'
import { showComparison } from './show-comparison.ts'

const EXTENSION = join(import.meta.dirname, 'node_modules/pi-subagents/index.ts')
// The child would go on for ever: the script ends it here, so that a limit that does not hold costs no more than this.
const LAST_REQUEST = 200

const command = pi.command.toSpliced(1, 0, '-e', EXTENSION)
const piWithSubagents: AgentProgram = { ...pi, command, directCommand: () => command }

/** Hands its task to a child that may use three tools, and repeats what the child said. */
function delegates(toolBudget: object | undefined): ProviderScript {
  return ({ number, tools, toolRounds, mayCallTools }) => {
    if (!mayCallTools || number >= LAST_REQUEST) return { text: CLOSING }
    const isParent = tools.some(({ name }) => name === 'subagent')
    if (!isParent) return { toolCalls: [{ name: 'bash', arguments: { command: `echo ${number}` } }] }
    if (toolRounds > 0) return { text: 'My child is back.' }
    const task = { agent: 'delegate', task: 'count for ever', async: false, toolBudget }
    return { toolCalls: [{ name: 'subagent', arguments: task }] }
  }
}

describe('pi-subagents 0.67.0', () => {
  it('blocks the tools of a child at its hard budget, and lets it go on calling the model', async () => {
    const own = await stageProgram(piWithSubagents, delegates({ hard: 3, block: '*' }))
    const ownEnd = await own.runDirectly()
    const ours = await stageProgram(piWithSubagents, delegates(undefined))
    const oursEnd = await ours.exec(['--limit', 'turns=4'])
    showComparison('Three tool calls for a child that loops', [
      { limit: 'toolBudget: { hard: 3, block: "*" }', book: own.provider.book(), answer: ownEnd.stdout },
      {
        limit: 'stint exec --limit turns=4 (one is the call of the child)',
        book: ours.provider.book(),
        answer: oursEnd.stdout,
      },
    ])
    expect(own.provider.book().requests).toBeGreaterThanOrEqual(LAST_REQUEST)
    expect(ours.provider.book()).toMatchObject({ toolCalls: 4 })
    expect(ours.provider.book().requests).toBeLessThan(10)
  })

  it('starts twenty children at once without reserving anything, and so spends past its budget', async () => {
    const witness = fanOutScript()
    const own = await stageProgram(piWithSubagents, witness.script, { longestMs: 110_000, caching: false })
    const ownEnd = await own.runDirectly()
    const { entries } = own.provider.book()
    const theirs = { ...witness.outcome(entries), answers: answersIn(ownEnd.stdout) }
    const ours = await fanOutOfStint(theirs.firstPromptTokens)
    showFanOuts([
      { limit: `usageBudget: { tokens: { hard: ${POOL_TOKENS} } }`, ...theirs },
      { limit: `stint parallel … --concurrency ${CHILDREN} --limit tokens=${POOL_TOKENS}`, ...ours },
    ])
    expect(theirs.tokens).toBeGreaterThan(POOL_TOKENS)
    expect(ours.tokens).toBeLessThanOrEqual(POOL_TOKENS)
    expect(ours.answers).toBeGreaterThan(0)
    // None is lost: each of the others says why it has no answer.
    expect(ours.reasons).toBe(CHILDREN - ours.answers)
    // Neither has the smaller task.
    expect(ours.firstPromptTokens / theirs.firstPromptTokens).toBeCloseTo(1, 1)
  })
})
