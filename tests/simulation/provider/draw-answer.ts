import type { Vector } from '../witness/meters.ts'
import type { Dice } from '../world/dice.ts'
import type { Fate } from './fate.ts'
import { booked, type Used } from './prices.ts'
import type { CallOfModel } from './provider.ts'

/** How a call goes: what it really uses, and what the caller is told of that. */
export interface Draw {
  readonly fate: Fate
  /** `null`: nothing was generated. */
  readonly used: Used | null
  /** How much of it is beyond the provider's own cap. */
  readonly excess: Vector | null
  /** What the answer says of its usage. */
  readonly usage: unknown
  /** What the beginning of a cut stream has said. */
  readonly reported: Readonly<Record<string, number>> | null
  /** What the caller must charge for what it was told: what it knows, and the whole cap for the rest. */
  readonly told: Used | null
}

const NO_USAGES: readonly unknown[] = [
  null,
  undefined,
  'lots',
  { inputTokens: -5, outputTokens: 10 },
  { inputTokens: 10, outputTokens: Number.NaN },
  { inputTokens: '10', outputTokens: 10 },
  { inputTokens: 10, outputTokens: 2 ** 60 },
]

/** The whole prompt is never more than the caller said, and the output never more than the cap, unless it is oversized. */
export function draw(dice: Dice, fate: Fate, call: CallOfModel, cap: number): Draw {
  const nothing = { fate, used: null, excess: null, usage: null, reported: null, told: null }
  if (fate === 'refused') return nothing
  const prompt = dice.chance(0.5) ? call.inputTokens : dice.whole(Math.ceil(call.inputTokens / 2), call.inputTokens)
  const cachedTokens = dice.chance(0.3) ? dice.whole(0, prompt) : 0
  const inputTokens = prompt - cachedTokens
  const written = dice.chance(0.4) ? cap : dice.whole(1, cap)
  const beyond = fate === 'oversized' ? dice.whole(1, 500) : 0
  const outputTokens = fate === 'oversized' ? cap + beyond : written
  const base = { model: call.model, phase: call.phase, inputTokens, cachedTokens }
  const used: Used = { ...base, outputTokens }
  const excess = fate === 'oversized' ? difference(booked(used), booked({ ...used, outputTokens: cap })) : null
  const usage = { inputTokens, cacheReadTokens: cachedTokens, outputTokens }
  if (fate === 'malformed') return { fate, used, excess, usage: dice.pick(NO_USAGES), reported: null, told: null }
  if (fate === 'truncated' && dice.chance(0.6)) {
    const reported = { inputTokens, cacheReadTokens: cachedTokens }
    return { fate, used, excess, usage, reported, told: { ...base, outputTokens: cap } }
  }
  return { fate, used, excess, usage, reported: null, told: null }
}

function difference(left: Vector, right: Vector): Vector {
  return left.map((amount, index) => amount - right[index]!)
}
