import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { limitsFromFlags } from '../../src/cli/flags/limits-from-flags.ts'
import { createProgram } from '../../src/cli/syntax/create-program.ts'
import { REPOSITORY, readRepositoryFile } from './repository.ts'

// As they are written in the page: `command="…"` of an empty state, and `text="…"` of a command.
const COMMAND = /(?:\bcommand|<Command text)=(?:"([^"]+)"|'([^']+)'|\{`([^`]+)`\})/g
const WORD = /"([^"]*)"|(\S+)/g

interface PageCommand {
  readonly file: string
  readonly text: string
}

function pageCommands(): readonly PageCommand[] {
  return globSync('web/src/**/*.tsx', { cwd: REPOSITORY }).flatMap((file) =>
    [...readRepositoryFile(file).matchAll(COMMAND)].map((found) => ({
      file,
      text: (found[1] ?? found[2] ?? found[3] ?? '').replace(/\$\{[^}]*\}/g, 'run-1'),
    })),
  )
}

function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(WORD)].map((found) => found[1] ?? found[2] ?? '').filter((word) => word !== 'npx')
}

/** Reads a command as the program does, without doing it. Throws what the program would say. */
async function readCommand(text: string): Promise<void> {
  const all = wordsOf(text)
  // What follows is another program's.
  const end = all.indexOf('--')
  const [program, ...words] = end === -1 ? all : all.slice(0, end)
  expect(program).toBe('stint')
  const said: string[] = []
  const read: string[] = []
  const output = { out() {}, error: (line: string) => void said.push(line), columns: () => 80 }
  const run = async (): Promise<void> => void read.push(text)
  const isExec = words[0] === 'exec'
  await createProgram(run, output, { hasJsonFlag: !isExec })
    .parseAsync([...words], { from: 'user' })
    .catch(() => {})
  expect(read, said.join('')).toEqual([text])
  expect(isExec).toBe(end !== -1 && end < all.length - 1)
  limitsFromFlags(words.filter((_, index) => words[index - 1] === '--limit'))
}

const COMMANDS = pageCommands()

it('the page teaches commands in several places', () => {
  expect(new Set(COMMANDS.map(({ file }) => file)).size).toBeGreaterThan(8)
})

it.each(COMMANDS)('the command line understands what the page teaches: $text', async ({ text }) => {
  await readCommand(text)
})

it('a command that lacks an argument is found', async () => {
  await expect(readCommand('npx stint run developer --limit turns=25')).rejects.toThrow(/TASK/)
})
