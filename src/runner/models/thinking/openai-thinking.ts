import type { ThinkingLevel } from '../../../agents/agent.ts'

/** The effort of a reasoning model; `null` for others. */
export function openAiThinking(id: string, level: ThinkingLevel): { readonly reasoningEffort: string } | null {
  const series = /^o\d+(?:-|$)/.test(id)
  const [, major, minor = '0', variant = ''] = /^gpt-(\d+)(?:\.(\d+))?(?:-(.+))?$/.exec(id) ?? []
  const version = major === undefined ? 0 : Number(major) + Number(minor) / 100
  if (series) return { reasoningEffort: effortOf(level, { least: 'low', most: 'high' }) }
  if (version < 5 || variant.startsWith('chat')) return null
  if (variant.includes('pro')) {
    const isFirst = version === 5
    return {
      reasoningEffort: effortOf(level, { least: isFirst ? 'high' : 'medium', most: isFirst ? 'high' : 'xhigh' }),
    }
  }
  return { reasoningEffort: effortOf(level, rangeOf(id, version, variant)) }
}

type Effort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'
interface Range {
  readonly least: Effort
  readonly most: Effort
}

const EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']

function rangeOf(id: string, version: number, variant: string): Range {
  const isCodex = variant.includes('codex')
  const most = version >= 5.02 || variant === 'codex-max' ? 'xhigh' : 'high'
  if (version >= 6) return { least: /^gpt-6(?:-sol|-luna|\.1-terra)$/.test(id) ? 'none' : 'low', most }
  if (isCodex) return { least: 'low', most }
  return { least: version >= 5.01 ? 'none' : 'minimal', most }
}

/** The nearest effort that the model supports. Only the first reasoning models have `minimal`. */
function effortOf(level: ThinkingLevel, { least, most }: Range): Effort {
  const wanted: Effort = level === 'off' ? 'none' : level
  if (wanted === 'minimal' && least !== 'minimal') return effortOf('low', { least, most })
  const place = Math.min(Math.max(EFFORTS.indexOf(wanted), EFFORTS.indexOf(least)), EFFORTS.indexOf(most))
  return EFFORTS[place]!
}
