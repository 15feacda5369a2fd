import { createPriceBook, parsePrices } from '../../../pricing/index.ts'
import type { ManualClock } from '../../../testing/manual-clock.ts'
import type { ModelCallSpec } from '../../call.ts'
import { breachIn, createGovernorFixture } from '../../fixtures/governor.fixture.ts'
import type { Scope } from '../../governor.ts'

/** A random scenario: conversations on one budget, and everything they will do. */
export interface World {
  readonly budgetNanoUsd: number
  readonly conversations: readonly PlannedConversation[]
}

export interface PlannedConversation {
  readonly startMs: number
  readonly promptTokens: number
  readonly askedOutput: number
  readonly turns: number
  /** Of each turn, in order; the last one repeats. */
  readonly answers: readonly number[]
  readonly results: readonly number[]
  readonly callMs: number
  readonly toolMs: number
  /** The cache is missed on every nth call; 0: there is no cache. */
  readonly missEvery: number
}

export interface ConversationEnd {
  /** `refused`: before its first call. `none`: admitted, but with neither its own answer nor a closing one. */
  readonly answer: 'own' | 'closing' | 'none' | 'refused'
  readonly toolCalls: number
  /** The minimum that the refusal of its first call named. */
  readonly leastLimit: number | null
  readonly wasTrimmed: boolean
}

export interface WorldEnd {
  readonly ends: readonly ConversationEnd[]
  readonly settledNanoUsd: number
  readonly held: number
  readonly reserved: number
}

const PRICES = createPriceBook({
  overrides: parsePrices({ model: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } }),
})
const CACHE_MS = 300_000
const LONGEST_CLOSING_ANSWER = 4_096
const CLOSING_NEEDS = 200
const MOST_STEPS = 5_000

/** Runs a scenario to its end. */
export async function playWorld(world: World): Promise<WorldEnd> {
  const { governor, clock } = createGovernorFixture({ prices: PRICES })
  const budget = await governor.budget('team:world', { limits: { cost: world.budgetNanoUsd / 1e9 } })
  const ends: ConversationEnd[] = []
  const all = world.conversations.map(async (planned, index) => {
    await delay(clock, planned.startMs)
    const scope = await governor.open({ name: `c${index}`, within: budget, wrapUp: true }).catch(() => null)
    ends[index] =
      scope === null
        ? { answer: 'refused', toolCalls: 0, leastLimit: null, wasTrimmed: false }
        : await converse(scope, clock, planned)
    await scope?.close()
  })
  let isOver = false
  const over = Promise.all(all).finally(() => {
    isOver = true
  })
  for (let step = 0; step < MOST_STEPS && !isOver; step++) await clock.advance(60_000)
  if (!isOver) throw new Error('A conversation waits forever.')
  await over
  const { cost } = await budget.usage()
  await governor.close()
  return { ends, settledNanoUsd: cost.settled, held: cost.held, reserved: cost.reserved }
}

async function converse(scope: Scope, clock: ManualClock, planned: PlannedConversation): Promise<ConversationEnd> {
  let prompt = planned.promptTokens
  // What no closing call can leave out: the task and the answers.
  let fixed = prompt
  let counted = 0
  let lastMs = Number.NEGATIVE_INFINITY
  const at = (list: readonly number[], turn: number): number => list[Math.min(turn, list.length - 1)]!
  for (let turn = 0; turn < planned.turns; turn++) {
    const spec: ModelCallSpec = {
      model: 'model',
      inputTokens: prompt,
      ...(counted === 0 ? {} : { countedTokens: counted }),
      maxOutputTokens: planned.askedOutput,
      cacheMark: '5m',
      messages: 1 + 2 * turn,
    }
    const outcome = await scope.callModel(spec, async ({ maxOutputTokens }) => {
      const isMissed = planned.missEvery === 0 || turn % planned.missEvery === planned.missEvery - 1
      const isHit = counted > 0 && !isMissed && clock.monotonicMs() - lastMs < CACHE_MS
      await delay(clock, planned.callMs)
      const outputTokens = Math.min(maxOutputTokens, at(planned.answers, turn))
      const cacheReadTokens = isHit ? counted : 0
      const cacheWriteTokens = prompt - cacheReadTokens
      return { value: outputTokens, usage: { inputTokens: 0, outputTokens, cacheReadTokens, cacheWriteTokens } }
    })
    if (outcome.kind !== 'done') {
      const { leastLimit } = breachIn(outcome)!
      if (turn === 0) return { answer: 'refused', toolCalls: 0, leastLimit, wasTrimmed: false }
      const closed = await close(scope, clock, planned, { prompt, fixed, messages: 1 + 2 * turn })
      return { ...closed, toolCalls: turn, leastLimit }
    }
    const outputTokens = outcome.value
    counted = prompt
    lastMs = clock.monotonicMs()
    await delay(clock, planned.toolMs)
    prompt += outputTokens + at(planned.results, turn)
    fixed += outputTokens
  }
  return { answer: 'own', toolCalls: planned.turns, leastLimit: null, wasTrimmed: false }
}

/** As an edge does it: drops the oldest results if it does not fit. */
async function close(
  scope: Scope,
  clock: ManualClock,
  { callMs, missEvery }: PlannedConversation,
  { prompt, fixed, messages }: { readonly prompt: number; readonly fixed: number; readonly messages: number },
): Promise<Pick<ConversationEnd, 'answer' | 'wasTrimmed'>> {
  for (const inputTokens of [prompt, Math.ceil((prompt + fixed) / 2), fixed]) {
    const spec = {
      model: 'model',
      inputTokens,
      maxOutputTokens: LONGEST_CLOSING_ANSWER,
      cacheMark: '5m',
      messages,
    } as const
    const outcome = await scope.callWrapUp(spec, async ({ maxOutputTokens }) => {
      await delay(clock, callMs)
      const outputTokens = Math.min(maxOutputTokens, CLOSING_NEEDS)
      const cacheReadTokens = missEvery === 0 ? 0 : Math.floor(inputTokens / 2)
      return {
        value: null,
        usage: { inputTokens: 0, outputTokens, cacheReadTokens, cacheWriteTokens: inputTokens - cacheReadTokens },
      }
    })
    if (outcome.kind === 'done') return { answer: 'closing', wasTrimmed: inputTokens !== prompt }
  }
  return { answer: 'none', wasTrimmed: true }
}

function delay(clock: ManualClock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve)
  })
}
