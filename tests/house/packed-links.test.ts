import { describe, expect, it } from 'vitest'
import { relativeLinksOf } from './links.ts'
import { REPOSITORY, readRepositoryFile } from './repository.ts'
import { runProgramOrThrow } from './run-program.ts'

/** The paths inside the tarball, without building or installing anything. */
function packedFiles(): readonly string[] {
  const packing = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [packed] = JSON.parse(runProgramOrThrow('npm', packing, { cwd: REPOSITORY }))
  return packed.files.map((file: { path: string }) => file.path)
}

/** Links of a page to files that are not packed with it. A link to a folder needs a file in that folder. */
function linksOutOf(files: ReadonlySet<string>, page: string, markdown: string): readonly string[] {
  return relativeLinksOf(page, markdown).flatMap(({ line, path }) => {
    const folder = `${path.replace(/\/$/, '')}/`
    const isPacked = files.has(path) || [...files].some((file) => file.startsWith(folder))
    return isPacked ? [] : [`${page}:${line} points to ${path}, which is not in the package`]
  })
}

describe('the pages in the package', () => {
  const files = new Set(packedFiles())
  const pages = [...files].filter((path) => path.endsWith('.md'))

  it('are the README, the docs and the examples', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/README.md', 'examples/README.md']))
  })

  it('link only to what is in the package', () => {
    expect(pages.flatMap((page) => linksOutOf(files, page, readRepositoryFile(page)))).toEqual([])
  })

  it('that link to anything else are reported, with file and line', () => {
    const planted = 'See [one](../CONTRIBUTING.md),\n[two](images/scopes.svg) and [three](how-to/).'
    expect(linksOutOf(files, 'docs/planted.md', planted)).toEqual([
      'docs/planted.md:1 points to CONTRIBUTING.md, which is not in the package',
    ])
  })
})
