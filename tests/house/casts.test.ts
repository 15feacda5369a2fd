import { expect, it } from 'vitest'
import { castsIn } from './casts.ts'
import { repositoryFiles } from './repository.ts'

// What is left, and why: the AI SDK's types of versions 6 and 7, which no single type covers (src/adapters, src/runner/run,
// src/scripted); JSON of a provider or a client, read field by field right behind the cast (src/gateway/dialects, src/exec,
// src/runner/tools/mcp); `Object.keys`, `entries` and `fromEntries`, which TypeScript types as plain texts (src/core,
// src/governor, src/pricing); operations and rows of any type in one queue (src/stores/postgres); wrong values on purpose
// (src/testing/store-contract); answers of our own server, which the contract
// types (web/src/data). A cast of a row, of a caught error or
// of a list of words is not among them: `columnsOf`, `codeOf`, `messageOf` and `isOneOf` check what they say.
const MOST_CASTS = 329

it(`casts in at most ${MOST_CASTS} places: a reader that checks is better`, () => {
  const sources = repositoryFiles().filter((file) => /^(src|web\/src)\/.*(?<!\.test|\.fixture)\.tsx?$/.test(file))
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.flatMap((file) => castsIn(file)).length).toBeLessThanOrEqual(MOST_CASTS)
})

it('counts casts, but not constants or names in imports', () => {
  const text = `import { a as b } from './a.ts'\nconst c = [1] as const\nconst d = b as unknown as string\n`
  expect(castsIn('src/example.ts', text)).toEqual(['src/example.ts:3', 'src/example.ts:3'])
})
