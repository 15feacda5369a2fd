import type { GoogleLanguageModelOptions } from '@ai-sdk/google'
import type { ThinkingLevel } from '../../../agents/agent.ts'

type Options = Pick<GoogleLanguageModelOptions, 'thinkingConfig'>

const BUDGETS: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  minimal: 512,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
}
// The smallest budget of a model that always thinks.
const SMALLEST_OF_PRO = 128

/** A budget up to version 2.5, a level from 3 on; `null` for older models and names without a version. */
export function googleThinking(id: string, level: ThinkingLevel): Options | null {
  const [, major = '0', minor = '0', variant = ''] = /^gemini-(\d+)(?:\.(\d+))?-(.+)$/.exec(id) ?? []
  const isFlash = variant.startsWith('flash')
  if (Number(major) >= 3) return { thinkingConfig: { thinkingLevel: levelOf(level, isFlash) } }
  if (`${major}.${minor}` !== '2.5' || /image|tts|audio/.test(variant)) return null
  return { thinkingConfig: { thinkingBudget: Math.max(BUDGETS[level], isFlash ? 0 : SMALLEST_OF_PRO) } }
}

/** The larger models only have a low and a high level. */
function levelOf(level: ThinkingLevel, isFlash: boolean): 'minimal' | 'low' | 'medium' | 'high' {
  if (level === 'xhigh' || level === 'high') return 'high'
  if (level === 'medium') return isFlash ? 'medium' : 'high'
  return isFlash && level !== 'low' ? 'minimal' : 'low'
}
