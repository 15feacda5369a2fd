import { InvalidNameError } from './errors.ts'

/**
 * `lasting`: the budget of a team or user, which no process runs. `group`: a plan that starts agents. `agent`: an agent
 * or subagent, which counts as one level of `depth`.
 */
export type ScopeKind = 'lasting' | 'group' | 'agent'

export const SCOPE_KINDS = ['lasting', 'group', 'agent'] as const satisfies readonly ScopeKind[]

const LONGEST_NAME = 200

/** Throws `InvalidNameError` unless `name` can be shown on one line and can't be mistaken for a path. */
export function assertScopeName(name: unknown): asserts name is string {
  if (typeof name !== 'string') throw new InvalidNameError(name, 'is not text')
  if (name.trim() === '') throw new InvalidNameError(name, 'is empty')
  if (name !== name.trim()) throw new InvalidNameError(name, 'starts or ends with a space')
  if (name.length > LONGEST_NAME) throw new InvalidNameError(name, `is longer than ${LONGEST_NAME} characters`)
  if (name === '.' || name === '..') throw new InvalidNameError(name, 'means a folder')
  if (/[/\\]/.test(name)) throw new InvalidNameError(name, 'contains a slash, which separates scopes in a path')
  if (/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u.test(name))
    throw new InvalidNameError(name, 'contains an invisible character')
}

/** The path of a child: the names from the root down, separated by slashes. */
export function childPath(parentPath: string | null, name: string): string {
  return parentPath === null ? name : `${parentPath}/${name}`
}

// Above the agents: a person, a team, a plan. What they start is at depth 0.
const ABOVE_AGENTS = -1

/** How many agents are above a new scope: 0 for an agent that a person or a plan started. */
export function levelBelow(parentLevel: number | null, kind: ScopeKind): number {
  const above = parentLevel ?? ABOVE_AGENTS
  return kind === 'agent' ? above + 1 : above
}
