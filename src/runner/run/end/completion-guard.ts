import type { ToolDeclaration } from '../../../adapters/ai-sdk/index.ts'
import type { SavedRun } from '../record/saved-run.ts'

const IMPLEMENTS =
  /\b(add|build|change|create|delete|edit|fix|implement|migrate|move|refactor|remove|rename|replace|rewrite|update|write)\b/i
const ONLY_LOOKS =
  /\b(do not|don't|never|without) (\w+ )?(chang|edit|modif|touch|writ)|\bread[- ]only\b|\b(review|explain|analy[sz]e|investigate|summari[sz]e)\b/i
const CLAIMS =
  /\b(added|built|changed|created|deleted|done|edited|finished|fixed|implemented|migrated|moved|refactored|removed|renamed|replaced|rewrote|updated|wrote)\b/i

/** Sent once to an agent that claims to have done something but has changed nothing. */
export const GUARD_TEXT =
  'You say that the work is done, but you have called no tool that changes anything. Do it now with your tools, or say why nothing had to be changed.'

export interface FinishedWork {
  readonly run: Pick<SavedRun, 'agent' | 'task'>
  readonly declarations: Readonly<Record<string, ToolDeclaration>>
  readonly messages: readonly unknown[]
  readonly answer: string
}

/** Whether an agent claims work that it cannot have done. Never true again after the guard's message. */
export function claimsUndoneWork({ run, declarations, messages, answer }: FinishedWork): boolean {
  const { agent, task } = run
  const changing = Object.keys(declarations).filter((name) => declarations[name]?.changes === true)
  if (!agent.completionGuard || changing.length === 0) return false
  if (!IMPLEMENTS.test(task) || ONLY_LOOKS.test(task) || !CLAIMS.test(answer)) return false
  return !messages.some((message) => hasCalled(message, changing) || isGuard(message))
}

function hasCalled(message: unknown, names: readonly string[]): boolean {
  const { content } = message as { readonly content?: unknown }
  if (!Array.isArray(content)) return false
  return content.some(({ type, toolName }) => type === 'tool-call' && names.includes(toolName))
}

function isGuard(message: unknown): boolean {
  const { role, content } = message as { readonly role?: unknown; readonly content?: unknown }
  return role === 'user' && content === GUARD_TEXT
}
