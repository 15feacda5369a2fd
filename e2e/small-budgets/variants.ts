import type { LoopOptions } from '../../src/testing/provider/index.ts'
import type { AgentProgram } from '../programs/agent-program.ts'
import type { ShareFloor } from './sweep-row.ts'

/** One way in which the model and its provider behave. */
export interface Variant {
  readonly name: string
  /** Whether the provider keeps what it was told to cache. */
  readonly caching: boolean
  readonly needs: Pick<LoopOptions, 'outputTokens' | 'thinkingTokens' | 'closingTokens'>
  /** The largest budget, as so many times the least: long answers fill a context of 200,000 tokens before thirty. */
  readonly times: number
  readonly floorsOf?: (program: AgentProgram) => readonly ShareFloor[]
  readonly commandOf?: (program: AgentProgram) => readonly string[]
}

const SHORT = { outputTokens: 300, closingTokens: 200 }

export const VARIANTS: readonly Variant[] = [
  {
    name: 'cached',
    caching: true,
    needs: SHORT,
    times: 30,
    // Only Claude Code has prompts of 84 kB.
    floorsOf: ({ name }) =>
      name === 'Claude Code'
        ? [
            { times: 3, share: 0.55 },
            { times: 10, share: 0.75 },
          ]
        : [],
  },
  {
    name: 'uncached',
    caching: false,
    needs: SHORT,
    times: 30,
    floorsOf: () => [
      { times: 3, share: 0.8 },
      { times: 10, share: 0.85 },
    ],
  },
  { name: 'long', caching: true, needs: { outputTokens: 2_500, closingTokens: 600 }, times: 10 },
  {
    name: 'thinking',
    caching: true,
    needs: { ...SHORT, thinkingTokens: 800 },
    times: 10,
    commandOf: ({ command, thinkingCommand = command }) => thinkingCommand,
  },
]
