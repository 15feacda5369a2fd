import { resolveLimits } from '../../policy/index.ts'
import { limitLayers } from '../../runner/run/limit-layers.ts'
import type { AgentCommand } from './read-run.ts'

/** The limits of a planned run that a ceiling cuts, for runs in the background, which cannot say so themselves. */
export function ceilingNotices({ agent, layers }: AgentCommand): readonly string[] {
  const { notices } = resolveLimits(limitLayers({ agent, layers, task: '', workingFolder: '' }))
  return notices.filter(({ kind }) => kind === 'ceiling-applied').map(({ message }) => message)
}
