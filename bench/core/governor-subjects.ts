import { createGovernor, type Scope } from '../../src/governor/index.ts'
import type { Work } from '../measure.ts'

const AMPLE = { toolCalls: 999_999_999, modelCalls: 999_999_999, tokens: 999_999_999_999, cost: 999_999 } as const
const CALL = { model: 'gpt-4o-mini', inputTokens: 900, maxOutputTokens: 300 } as const
const ANSWER = { value: null, usage: { inputTokens: 900, outputTokens: 100 } } as const

/** `scope.reserve` and `settle`: what a caller does who measures the call itself. */
export async function reserveSubject(depth: number): Promise<Work> {
  const scope = await openScopes(depth)
  const amounts = { toolCalls: 1, modelCalls: 1, tokens: 1_200, cost: 30_000 }
  const actual = { toolCalls: 1, modelCalls: 1, tokens: 1_000, cost: 21_000 }
  return async (times) => {
    for (let time = 0; time < times; time++) {
      const room = await scope.reserve(amounts)
      if (room.kind === 'refused')
        throw new Error(`a limit that cannot be reached refused a reservation: ${room.breach.meter}`)
      await room.settle(actual)
    }
  }
}

/** `scope.callTool` around a tool that does nothing, with a listener for every event if asked. */
export async function callToolSubject(depth: number, { isHeard = false } = {}): Promise<Work> {
  const scope = await openScopes(depth, isHeard)
  const tool = () => 'text'
  return async (times) => {
    for (let time = 0; time < times; time++) {
      const outcome = await scope.callTool({ name: 'read' }, tool)
      if (outcome.kind === 'refused')
        throw new Error(`a limit that cannot be reached refused a tool: ${outcome.breach.meter}`)
    }
  }
}

/** `scope.callModel` around a model that does nothing: priced, reserved, run and settled. */
export async function callModelSubject(depth: number): Promise<Work> {
  const scope = await openScopes(depth)
  const model = async () => ANSWER
  return async (times) => {
    for (let time = 0; time < times; time++) {
      const outcome = await scope.callModel(CALL, model)
      if (outcome.kind === 'refused')
        throw new Error(`a limit that cannot be reached refused a call: ${outcome.breach.meter}`)
    }
  }
}

/** The innermost of so many scopes, each with a limit on the four counters, in a memory store of its own. */
async function openScopes(depth: number, isHeard = false): Promise<Scope> {
  const governor = createGovernor(isHeard ? { onEvent: () => {} } : {})
  let scope = await governor.open({ name: 'run', limits: AMPLE })
  for (let level = 1; level < depth; level++) scope = await scope.open({ name: `level-${level}`, limits: AMPLE })
  return scope
}
