import { promptTokensOf } from '../../src/testing/provider/counting/counted-usage.ts'
import type { BookEntry, ProviderScript } from '../../src/testing/provider/index.ts'

export const CHILDREN = 20
export const POOL_TOKENS = 60_000
/** How long the model thinks about an answer, so that all children are in flight at once, as they are with a real one. */
const ANSWER_MS = 300

/** What a child is told; its parent's conversation never has it as the last message. */
export const taskOf = (place: number): string => `Look once, then answer with word-${place}.`

/** How a fan-out ended. */
export interface FanOutOutcome {
  /** What all children used. */
  readonly tokens: number
  /** The children whose word came back. */
  readonly answers: number
  /** From the first request of a child to the last answer to one. */
  readonly elapsedMs: number
  readonly firstPromptTokens: number
}

export interface FanOutWitness {
  readonly script: ProviderScript
  /** The children's part of a book. */
  outcome(entries: readonly BookEntry[]): Omit<FanOutOutcome, 'answers'>
}

/** A model that fans out with pi-subagents' tool where it has it. As a child it looks once and answers with its word. */
export function fanOutScript(): FanOutWitness {
  const children = new Set<number>()
  const moments: number[] = []
  return {
    async script({ number, tools, toolRounds, mayCallTools, userText, toolResults }) {
      if (tools.some(({ name }) => name === 'subagent')) {
        if (toolRounds > 0 || !mayCallTools) return { text: toolResults.map(({ text }) => text).join('\n') }
        return { toolCalls: [{ name: 'subagent', arguments: WORKFLOW }] }
      }
      children.add(number)
      moments.push(performance.now())
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
      moments.push(performance.now())
      if (!mayCallTools || toolRounds > 0) return { text: /word-\d+/.exec(userText)?.[0] ?? 'no word' }
      return { text: 'I look.', toolCalls: [{ name: 'bash', arguments: { command: 'echo seen' } }] }
    },
    outcome(entries) {
      const own = entries.filter(({ number }) => children.has(number))
      return {
        tokens: own.reduce((sum, { usage }) => sum + promptTokensOf(usage) + usage.outputTokens, 0),
        elapsedMs: Math.max(...moments) - Math.min(...moments),
        firstPromptTokens: promptTokensOf(own[0]!.usage),
      }
    },
  }
}

/** One call of pi-subagents' tool: twenty children at once, with its own budget over all of them. */
const WORKFLOW = {
  workflowScript: `
    const results = await runs.all(${JSON.stringify(
      Array.from({ length: CHILDREN }, (_, index) => ({
        key: `part-${index + 1}`,
        agent: 'delegate',
        task: taskOf(index + 1),
      })),
    )});
    return results.map(({ output }) => output);`,
  async: false,
  usageBudget: { tokens: { hard: POOL_TOKENS } },
}

/** How many children's words are in a text. */
export const answersIn = (text: string): number => new Set(text.match(/"word-\d+/g)).size

/** Prints what became of each, side by side. */
export function showFanOuts(contenders: readonly (FanOutOutcome & { readonly limit: string })[]): void {
  const rows = contenders.map(({ limit, tokens, answers, elapsedMs }) => {
    const over = Math.max(0, tokens - POOL_TOKENS)
    const seconds = (elapsedMs / 1_000).toFixed(1)
    return `  ${limit}\n    ${tokens} tokens, ${over} over the pool; ${answers} of ${CHILDREN} children with an answer, the last after ${seconds} s`
  })
  console.log(`${CHILDREN} children at once on a pool of ${POOL_TOKENS} tokens\n${rows.join('\n')}`)
}
