import { describe, expect, it } from 'vitest'
import { isStintError } from '../../src/core/index.ts'
import { createSubjects, type MisspelledCall, misspelledCalls } from './misspelled-options.ts'
import { readRepositoryFile } from './repository.ts'
import { WITHOUT_OPTIONS } from './without-options.ts'

const { exports } = JSON.parse(readRepositoryFile('package.json')) as { exports: Record<string, unknown> }

const subjects = await createSubjects()
const calls = misspelledCalls(subjects)

/** Every function that the package exports, and every method of what those create. */
async function publicFunctions(): Promise<readonly string[]> {
  const names = new Set<string>()
  for (const { default: built } of Object.values(exports).filter(isEntry)) {
    const entry = await import(`../../${built.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`)
    for (const [name, value] of Object.entries(entry)) if (isPlainFunction(value)) names.add(name)
  }
  for (const [subject, object] of Object.entries(subjects)) {
    for (const [name, value] of Object.entries(object)) if (isPlainFunction(value)) names.add(`${subject}.${name}`)
  }
  return [...names]
}

function isEntry(entry: unknown): entry is { readonly default: string } {
  return typeof entry === 'object' && entry !== null && 'default' in entry
}

function isPlainFunction(value: unknown): boolean {
  return typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value))
}

/** How a function reports an unknown option: by an error, or in its result if it never throws. */
async function answerTo([misspelled, , call]: MisspelledCall): Promise<string> {
  try {
    return JSON.stringify(await call({ [misspelled]: 1 } as never)) ?? 'nothing'
  } catch (error) {
    return isStintError(error) || error instanceof Error ? error.message : String(error)
  }
}

describe('J8: a misspelled option', () => {
  it.each(Object.entries(calls))('of %s is refused by name, with the intended one', async (name, entry) => {
    const [misspelled, meant] = entry
    const answer = await answerTo(entry)
    expect(answer, name).toContain(misspelled)
    // Readers of usage never throw: what they cannot read is charged in full.
    if (!name.startsWith('usageFrom')) expect(answer, name).toContain(meant)
    else expect(JSON.parse(answer)).toMatchObject({ usage: null, anomalies: [{ field: misspelled }] })
  })

  it('is tried at every public function: a new one must be listed as taking none, or be tried above', async () => {
    const tried = new Set([...Object.keys(calls), ...WITHOUT_OPTIONS])
    const all = await publicFunctions()
    expect(all.filter((name) => !tried.has(name))).toEqual([])
    expect([...tried].filter((name) => !all.includes(name))).toEqual([])
    expect(WITHOUT_OPTIONS.filter((name) => Object.hasOwn(calls, name))).toEqual([])
  })

  it('is accepted if its value is undefined', async () => {
    await expect(subjects.governor.open({ name: 'plain', limit: undefined } as never)).resolves.toBeDefined()
  })
})
