import type * as z from 'zod/mini'
import { JSON_KEYWORDS } from '../src/config/schema-forms.ts'
import { ADDRESS, PROGRAM } from '../src/config/settings/mcp-servers.ts'
import { UPSTREAM } from '../src/config/settings/providers.ts'
import { SETTING_NAMES, SETTINGS } from '../src/config/settings.ts'

/** The page docs/reference/config.md with its tables rewritten, each between its two markers. */
export function withTables(page: string): string {
  const tables = {
    settings: settingsTable(),
    upstreams: fieldsTable(UPSTREAM.shape),
    'mcp-servers': fieldsTable({ ...PROGRAM.shape, ...ADDRESS.shape }),
  }
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [start, end] = [`<!-- ${name}: npm run schemas writes this table -->`, `<!-- end of ${name} -->`]
    const [before, rest] = split(text, start)
    return `${before}${start}\n\n${table}\n\n${end}${split(rest, end)[1]}`
  }, page)
}

function split(text: string, marker: string): readonly [string, string] {
  const parts = text.split(marker)
  if (parts.length !== 2) throw new Error(`The page needs the marker ${marker} once.`)
  return [parts[0]!, parts[1]!]
}

function settingsTable(): string {
  const rows = SETTING_NAMES.map((name) => {
    const { description, twoFiles, untrusted = 'ignored' } = SETTINGS[name]
    return [`\`${name}\``, description, twoFiles, untrusted]
  })
  return tableOf(['setting', 'value', 'if both files set it', 'in an untrusted file'], rows)
}

function fieldsTable(shape: Readonly<Record<string, z.core.$ZodType>>): string {
  const rows = Object.entries(shape).map(([name, field]) => [
    `\`${name}\``,
    String(JSON_KEYWORDS.get(field)?.description),
  ])
  return tableOf(['field', 'value'], rows)
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.join('\n')
}
