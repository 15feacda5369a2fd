import { countText } from '../../operate/count-text.ts'
import { type Finding, notice } from '../../operate/health/finding.ts'
import { listWorktrees } from '../../runner/worktrees/index.ts'

const MOST_NAMED = 5

/** Worktrees of agents that did not complete. They are kept to resume the agent or to inspect. */
export function checkWorktrees(folder: string): readonly Finding[] {
  const left = listWorktrees(folder)
  if (left.length === 0) return []
  const named = left.slice(0, MOST_NAMED).map(({ path }) => path)
  const more = left.length > named.length ? ` and ${left.length - named.length} more` : ''
  const detail = `${countText(left.length, 'git worktree')} of agents that did not complete: ${named.join(', ')}${more}`
  const remedy =
    'Resume them with stint resume ID, or remove them with git worktree remove --force PATH: each patch is kept with its task.'
  return [notice('worktrees', detail, remedy)]
}
