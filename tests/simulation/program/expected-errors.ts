import { ProviderError } from '../provider/provider.ts'
import { type SimulatedProcess, sleep } from '../world/process.ts'
import { fail, type Stage } from './stage.ts'

/** A tool's own failure. */
export class ToolError extends Error {}

// `invalid_option`: it asked for more of something that is not limited.
const EXPECTED = [
  'invalid_option',
  'limit_exceeded',
  'not_paused',
  'scope_closed',
  'scope_paused',
  'store_busy',
  'store_unavailable',
  'unknown_request',
]

/** Whether an agent must reckon with this error. Anything else is a fault of the product. */
export function isExpected(stage: Stage, error: unknown): boolean {
  if (error instanceof ProviderError || error instanceof ToolError) return true
  return EXPECTED.includes(stage.product.codeOf(error) ?? '')
}

/** Whether the store was not there, so that the same may be tried again. */
export function isStoreError(stage: Stage, error: unknown): boolean {
  return ['store_busy', 'store_unavailable'].includes(stage.product.codeOf(error) ?? '')
}

const MOST_ATTEMPTS = 60

/** Does something until the store has answered. Whatever else is said is an answer too. */
export async function firmly<Value>(
  stage: Stage,
  process: SimulatedProcess,
  act: () => Promise<Value>,
): Promise<Value | null> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (!isExpected(stage, error)) fail(stage, error as Error)
      if (!isStoreError(stage, error)) return null
    }
    await sleep(process, stage.world.dice.whole(50, 600))
  }
  return null
}
