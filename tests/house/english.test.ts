import { describe, expect, it } from 'vitest'
import { readRepositoryFile, repositoryFiles } from './repository.ts'
import { translatedPlaces } from './translated-places.ts'

// The titles of the product's own tests in src are rewritten folder by folder.
const TITLES_READ =
  /^(tests|scripts|web\/src|src\/(agents|cli|config|observe|operate|runner|server|testing))\/.+\.(test|prove)\.tsx?$/

// Decisions are dated and never rewritten.
const isRead = (path: string): boolean =>
  path === 'README.md' ||
  (path.startsWith('docs/') && path.endsWith('.md') && !path.startsWith('docs/decisions/')) ||
  (/^(src|web\/src)\/.+\.tsx?$/.test(path) && !path.endsWith('.test.ts'))

describe('messages, comments and pages', () => {
  const files = repositoryFiles().filter(isRead)

  it('are found', () => {
    expect(files).toContain('src/policy/limits/read-limit.ts')
    expect(files.some((path) => path.endsWith('.test.ts'))).toBe(false)
  })

  it('are in plain English', () => {
    expect(files.flatMap((path) => translatedPlaces(path, readRepositoryFile(path)))).toEqual([])
  })
})

describe('titles of tests', () => {
  const files = repositoryFiles().filter((path) => TITLES_READ.test(path))

  it('are found', () => {
    expect(files.length).toBeGreaterThan(200)
    const test = "it('counts', () => {\n  expect(1)\n})\n])('refuses %j', (x) => {\nit(\n  'shows',\n  () => {}"
    expect(
      titlesIn(test)
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(["it('counts', () => {", '', '', "])('refuses %j', (x) => {", 'it(', "'shows',", ''])
  })

  it('are in plain English', () => {
    expect(files.flatMap((path) => translatedPlaces(path, titlesIn(readRepositoryFile(path))))).toEqual([])
  })
})

describe('a planted', () => {
  it.each([
    '"flag" is no layer.',
    'These were no limits.',
    'A key is\n * no secret.',
    'a key that stands twice',
    'When counting begins anew.',
    'Whoever waits for an answer.',
    'For somebody else, or nobody.',
    'A group that is gone on\n * with.',
    'To let it go on: stint resume.',
    'Agents that run are stopped softly.',
    'A limit, and how it stands.',
    'What they come to at most.',
    'Only the stint around this one knows.',
    'It waits for ever.',
    'A file that lies beside\n * the ledger.',
    'What became of a run.',
    'What a plan may come to before it starts.',
    'A call is let in.',
    'Above that, someone is asked.',
    'The usage after so many tokens.',
    'The next process goes on\n * from here.',
    'A listener that throws holds up no call.',
    'What may be started unasked.',
    'A name in small letters.',
    'The desk of a Desk.',
  ])('sentence that reads as translated is found with its line: %s', (sentence) => {
    const places = translatedPlaces('x.ts', `const sound = 1\n/** ${sentence} */\n`)
    expect(places[0]).toMatch(/^x\.ts:2 says ".+": write /)
  })

  it.each([
    'There is no such file.',
    'It is no longer open.',
    'It is no more than 5.',
    'Is not a layer.',
    'as nowhere',
    'const beside = 1, besides, and what becomes of it.',
    'The work goes on.',
    'A desk-sized machine stands there forever.',
  ])('similar sentence is accepted: %s', (sentence) => {
    expect(translatedPlaces('x.ts', `/** ${sentence} */\n`)).toEqual([])
  })
})

/** The text with only the lines that can have a title on them; line numbers stay. */
function titlesIn(text: string): string {
  const isTitle = (line: string): boolean => /\b(?:it|describe)(?:\.\w+)*\(|^\s*\].*\)\(/.test(line)
  const lines = text.split('\n')
  return lines
    .map((line, at) => (isTitle(line) || /(?:\b(?:it|describe)(?:\.\w+)*|\))\($/.test(lines[at - 1] ?? '') ? line : ''))
    .join('\n')
}
