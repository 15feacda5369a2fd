import { problemText } from '../../agents/index.ts'
import { countText } from '../../operate/count-text.ts'
import { type Finding, fine, problem } from '../../operate/health/finding.ts'
import { agentsHere } from '../agents/agents-here.ts'
import type { CommandContext } from '../command-context.ts'

const MOST_NAMED = 5

/** The agents that can be run from here, or the problems with their files. */
export function checkAgents(context: CommandContext): readonly Finding[] {
  const { agents, problems } = agentsHere(context)
  if (problems.length === 0) return [fine('agents', `${agents.size} can be run from here`)]
  const named = problems.slice(0, MOST_NAMED).map(problemText)
  const more = problems.length > named.length ? `; and ${problems.length - named.length} more` : ''
  const detail = `${countText(problems.length, 'problem')} with their files: ${named.join('; ')}${more}`
  return [problem('agents', detail, 'Fix it there. To see all problems: stint agents validate')]
}
