import { type ParsedLimits, parseAskAbove } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'

/** How large a run may get before a person is asked: from the config and `--ask-above agents=8,cost=2`. */
export function askAboveFrom({ config }: CommandContext, written: readonly string[] = []): readonly ParsedLimits[] {
  const parts = written.flatMap((text) => text.split(','))
  const own = parts.length === 0 ? [] : [parseAskAbove(parts, { layer: 'call', flag: '--ask-above' })]
  return [...config().askAbove, ...own]
}
