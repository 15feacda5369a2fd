import { printable } from '../../core/checks/printable.ts'
import type { ScopeReading } from '../../core/index.ts'
import type { Field } from './field-list.ts'

/** What a scope was for, who started it, and where. */
export function aboutFields({ about }: Pick<ScopeReading, 'about'>): readonly Field[] {
  if (about === null) return []
  const { command, task, by, folder, host } = about
  const who = [by, host].filter((part) => part !== undefined).join(' on ')
  const fields = [
    ['command', command],
    ['asked', task],
    ['started by', who === '' ? undefined : who],
    ['folder', folder],
  ] as const
  return fields.flatMap(([name, text]) => (text === undefined ? [] : [[name, printable(onOneLine(text))] as const]))
}

/** The tasks of a group are on a line each. */
function onOneLine(text: string): string {
  return text
    .trim()
    .split(/\s*\n\s*/)
    .join('; ')
}
