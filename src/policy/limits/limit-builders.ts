import type { Meter } from '../../core/meter.ts'
import type { LimitDetail, LimitsObject } from '../formats/limits-input.ts'
import { parseLimits } from '../formats/parse-limits.ts'

/** What a limit may have in addition to its maximum. */
export type LimitOptions = Omit<LimitDetail, 'max' | 'basis'>

/** A function that writes one limit as a native object, to be spread or put into a list with others. Throws on bad input. */
export type LimitBuilder = (max: number | string, options?: LimitOptions) => LimitsObject

function limitBuilder(call: string, meter: Meter): LimitBuilder {
  return (max, options) => {
    const limits: LimitsObject = { [meter]: options === undefined ? max : { max, ...options } }
    parseLimits(limits, { call })
    return limits
  }
}

export const toolCallLimit = limitBuilder('toolCallLimit', 'toolCalls')
export const modelCallLimit = limitBuilder('modelCallLimit', 'modelCalls')
export const messageLimit = limitBuilder('messageLimit', 'messages')
export const tokenLimit = limitBuilder('tokenLimit', 'tokens')
export const outputTokenLimit = limitBuilder('outputTokenLimit', 'outputTokens')
export const uncachedTokenLimit = limitBuilder('uncachedTokenLimit', 'uncachedTokens')
export const costLimit = limitBuilder('costLimit', 'cost')
export const planningCostLimit = limitBuilder('planningCostLimit', 'planningCost')
export const executionCostLimit = limitBuilder('executionCostLimit', 'executionCost')
export const timeLimit = limitBuilder('timeLimit', 'time')
export const wallTimeLimit = limitBuilder('wallTimeLimit', 'wallTime')
export const idleTimeLimit = limitBuilder('idleTimeLimit', 'idleTime')
export const depthLimit = limitBuilder('depthLimit', 'depth')
export const spawnLimit = limitBuilder('spawnLimit', 'spawns')
export const concurrencyLimit = limitBuilder('concurrencyLimit', 'concurrency')
