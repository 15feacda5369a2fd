import { printable } from '../../core/printable.ts'

const LONGEST = 80

/** What a task is about that nobody has described: the beginning of what it says. */
export function subjectFrom(text: string): string {
  return printable(text.trim().split('\n', 1)[0]!).slice(0, LONGEST)
}
