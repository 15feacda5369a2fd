import { printable } from '../core/checks/printable.ts'
import { showValue } from '../core/index.ts'

/** A problem with an agent file or an override. */
export interface AgentProblem {
  readonly file: string
  readonly line: number | null
  readonly field: string | null
  /** The value as messages show it; `null` if the problem is not about a value. */
  readonly value: string | null
  /** What is wrong, and a valid form. */
  readonly message: string
}

/** Makes a problem that is safe to print: short, on one line, without terminal escapes. */
export function agentProblem(
  file: string,
  at: { readonly line?: number | null | undefined; readonly field?: string | null; readonly value?: unknown },
  message: string,
): AgentProblem {
  return {
    file,
    line: at.line ?? null,
    field: at.field ? printable(at.field) : null,
    value: at.value === undefined ? null : printable(showValue(at.value)),
    message: printable(message),
  }
}

/** A problem as one line of text: `maxTokens in agents/slow.md:4: "50k" is not a whole number. …` */
export function problemText({ file, line, field, value, message }: AgentProblem): string {
  const where = printable(line === null ? file : `${file}:${line}`)
  const shown = value === null || message.includes(value) ? '' : ` (It is ${value}.)`
  return `${field === null ? where : `${field} in ${where}`}: ${message}${shown}`
}
