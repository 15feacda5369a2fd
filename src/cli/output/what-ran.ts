import type { ScopeReading } from '../../core/index.ts'
import { cutText } from './fit-text.ts'

const LONGEST_IN_LIST = 60

/** What ran in a scope, on one line: the command, or the agent and its task. */
export function whatRan({ name, labels, about }: Pick<ScopeReading, 'name' | 'labels' | 'about'>): string {
  const agent = labels.agentType ?? name
  if (about?.task !== undefined) return `${agent}: ${oneLine(about.task)}`
  if (about?.command === undefined) return agent
  const command = oneLine(about.command)
  // `stint exec` names a run after its command; a program names its runs itself.
  return command.includes(name) ? command : `${name} (${command})`
}

/** The same for a list of scopes, of which most only have a name. */
export function nameOrWhatRan(scope: Pick<ScopeReading, 'name' | 'labels' | 'about'>): string {
  const { about, name } = scope
  return about?.command === undefined && about?.task === undefined ? name : cutText(whatRan(scope), LONGEST_IN_LIST)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
