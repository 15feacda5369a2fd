import { type ParsedLimits, parseAskAbove } from '../../policy/index.ts'
import type { CommandContext } from '../command-context.ts'

/** What a run may come to before someone is asked: of the config and of `--ask-above agents=8,cost=2`. */
export function askAboveFrom({ config }: CommandContext, written: readonly string[] = []): readonly ParsedLimits[] {
  const parts = written.flatMap((text) => text.split(','))
  const own = parts.length === 0 ? [] : [parseAskAbove(parts, { layer: 'call', flag: '--ask-above' })]
  return [...config().askAbove, ...own]
}
