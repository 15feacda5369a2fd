import { type Amounts, type CounterMeter, createAgingMap } from '../../core/index.ts'
import type { RunResult } from './end/run-result.ts'
import type { SavedRun } from './record/saved-run.ts'

/** A child that is about to start. */
export interface StartingChild {
  readonly saved: SavedRun
  readonly parentId: string
  /** The estimate of what its first call and its closing call need. */
  readonly needs: Amounts
}

/**
 * What children must find to be started. It is estimated, so a limit may still refuse a child's first call, after its
 * folder was written. The next children like it are then refused before that.
 */
export interface RefusedStarts {
  needsOf(child: StartingChild): Amounts
  /** Reads from how a child ended what its first call needed, if that was refused. */
  learn(child: StartingChild, result: Pick<RunResult, 'status' | 'breach' | 'usage'>): void
}

interface RefusedStart {
  /** The estimated size of its prompt: a shorter one may need less. */
  readonly tokens: number
  /** What was needed of the meters that were short. */
  readonly needs: Amounts
}

const MOST_REMEMBERED = 256

export function createRefusedStarts(): RefusedStarts {
  const refused = createAgingMap<RefusedStart>(MOST_REMEMBERED)
  return {
    needsOf(child) {
      const known = refused.get(kindOf(child))
      return known === undefined || sizeOf(child) < known.tokens ? child.needs : withLarger(child.needs, known.needs)
    },
    learn(child, { status, breach, usage }) {
      if (status !== 'limit-reached' || breach === null || usage.modelCalls.settled > 0) return
      const { meter, asked } = breach
      // A limit of its own says nothing about the others.
      if (breach.scope === child.saved.id || !Object.hasOwn(child.needs, meter)) return
      const kind = kindOf(child)
      const known = refused.get(kind)
      const tokens = Math.max(sizeOf(child), known?.tokens ?? 0)
      refused.set(kind, { tokens, needs: withLarger(known?.needs ?? {}, { [meter]: asked }) })
    },
  }
}

/** Children of one kind have the same prompt, except for their task. */
function kindOf({ saved: { agent, models, tools, wrapUp }, parentId }: StartingChild): string {
  return JSON.stringify([parentId, agent.name, models, tools, wrapUp])
}

function sizeOf({ needs: { tokens = 0 } }: StartingChild): number {
  return tokens
}

/** `amounts`, raised to `least`. */
function withLarger(amounts: Amounts, least: Amounts): Amounts {
  const raised = Object.entries(least).map(([meter, most]) => [
    meter,
    Math.max(amounts[meter as CounterMeter] ?? 0, most),
  ])
  return { ...amounts, ...Object.fromEntries(raised) }
}
