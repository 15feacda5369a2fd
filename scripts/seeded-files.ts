import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { globSync } from 'tinyglobby'

// What makes a test file random: properties, or histories that start from the seed of the tests.
const RANDOM = /from '(?:fast-check|[./]+setup\/test-seed\.ts)'/
const RELATIVE_IMPORT = /from '(\.[^']+\.ts)'/g

/** The test files whose course depends on a seed, by themselves or through what they share with other tests. */
export function seededFiles(root: string): readonly string[] {
  const isSeeded = new Map<string, boolean>()

  function looksAtSeed(file: string): boolean {
    const known = isSeeded.get(file)
    if (known !== undefined) return known
    // Also ends a circle of imports.
    isSeeded.set(file, false)
    const text = readFileSync(file, 'utf8')
    const found = RANDOM.test(text) || sharedImports(file, text).some(looksAtSeed)
    isSeeded.set(file, found)
    return found
  }

  return globSync('{src,tests,scripts}/**/*.test.ts', { cwd: root })
    .toSorted()
    .filter((path) => looksAtSeed(join(root, path)))

  /** The product itself draws no seeds: only what tests share is followed. */
  function sharedImports(file: string, text: string): readonly string[] {
    return [...text.matchAll(RELATIVE_IMPORT)]
      .map((match) => join(dirname(file), match[1]!))
      .filter((path) => path.endsWith('.fixture.ts') || relative(root, path).startsWith('tests'))
      .filter((path) => existsSync(path))
  }
}
