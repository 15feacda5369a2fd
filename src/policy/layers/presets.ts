import type { LimitsObject } from '../formats/limits-input.ts'

/** The limits of a role. */
export interface Preset {
  readonly name: string
  readonly limits: LimitsObject
}

/** Every role that has its own limits. They apply where a preset is named, and in the runner to agents of that name. */
export const PRESETS: readonly Preset[] = [
  { name: 'developer', limits: { toolCalls: 25, time: '10m', cost: '$1.00', onLimit: 'terminate' } },
  { name: 'qa', limits: { toolCalls: 10, time: '2m', cost: '$0.50', onLimit: 'terminate' } },
  { name: 'planner', limits: { toolCalls: 15, time: '5m', cost: '$2.00', onLimit: 'terminate' } },
  { name: 'architect', limits: { toolCalls: 50, time: '30m', cost: '$5.00', onLimit: 'warn' } },
  { name: 'researcher', limits: { toolCalls: 50, time: '20m', cost: '$5.00', onLimit: 'warn' } },
  { name: 'security-architect', limits: { toolCalls: 30, time: '15m', cost: '$3.00', onLimit: 'terminate' } },
  { name: 'code-reviewer', limits: { toolCalls: 20, time: '10m', cost: '$1.50', onLimit: 'warn' } },
  { name: 'devops', limits: { toolCalls: 30, time: '15m', cost: '$2.00', onLimit: 'terminate' } },
  { name: 'explore', limits: { toolCalls: 20, time: '10m', cost: '$1.00', onLimit: 'terminate' } },
  { name: 'verify', limits: { toolCalls: 8, time: '10m', cost: '$1.00', onLimit: 'terminate' } },
]

/** The runner's limits for an agent without a role. */
export const DEFAULT_ROLE_LIMITS: LimitsObject = { toolCalls: 25, time: '10m', cost: '$1.00', onLimit: 'terminate' }

/** The runner's limits for a subagent without a role. */
export const DEFAULT_SUBAGENT_LIMITS: LimitsObject = { ...DEFAULT_ROLE_LIMITS, toolCalls: 16 }

/** The preset of this name; `null` if there is none. */
export function findPreset(name: string): Preset | null {
  return PRESETS.find((preset) => preset.name === name) ?? null
}
