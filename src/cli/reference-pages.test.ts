import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from './syntax/create-program.ts'

const page = (name: string) => readFileSync(new URL(`../../docs/reference/${name}`, import.meta.url), 'utf8')
const program = createProgram(async () => {}, { out: () => {}, error: () => {}, columns: () => 80 })

/** Every command without subcommands, with its words. */
function leavesOf(command: Command, words: readonly string[]): readonly (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[words.join(' '), command]]
  return command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]))
}

describe('docs/reference/cli.md', () => {
  const text = page('cli.md')
  const rows = [...text.matchAll(/^\| `(stint [^`]+)` \|/gm)].map(([, form]) => form!)
  // A command with many flags has a section with a row for each.
  const sections = [...text.matchAll(/^### `(stint [^`]+)`\n([\s\S]*?)(?=^#)/gm)].map(([, form, body]) => {
    const flags = [...body!.matchAll(/^\| (`--.*?) \|/gm)].map(([, cell]) => cell!)
    return [form!, ...flags].join(' ')
  })
  const forms = [...rows, ...sections]

  it.each(leavesOf(program, ['stint']))(
    'has a row or a section for %s, with its arguments and flags',
    (name, command) => {
      const row = forms.find((form) => form === name || form.startsWith(`${name} `))
      expect(row).toBeDefined()
      for (const { name: argument, required } of command.registeredArguments.map((each) => ({
        name: each.name(),
        required: each.required,
      }))) {
        expect(row).toContain(required ? ` ${argument}` : `[${argument}]`)
      }
      const documented = [...row!.matchAll(/--[a-z-]+/g)].map(([flag]) => flag).sort()
      expect(documented).toEqual(command.options.map(({ long }) => long).sort())
    },
  )

  it('mentions no unknown command', () => {
    const names = leavesOf(program, ['stint']).map(([name]) => name)
    expect(forms.filter((form) => !names.some((name) => form === name || form.startsWith(`${name} `)))).toEqual([])
  })

  it('explains the flags of every command', () => {
    for (const { long } of program.options) expect(text).toMatch(new RegExp(`^\\| .*\`${long}[\` ]`, 'm'))
  })

  it('describes the JSON of every command', () => {
    const shapes = text.slice(text.indexOf('## JSON'))
    for (const [name] of leavesOf(program, [])) expect(shapes).toMatch(new RegExp(`^\\| .*\`${name}\\b`, 'm'))
  })
})
