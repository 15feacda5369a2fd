import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutant } from './mutant.ts'

/** A copy of the source with a bug in it. */
export interface Planted {
  readonly source: string
  remove(): void
}

/** Copies `source` and plants the bug in the copy. Throws unless its place is found exactly once. */
export function plantMutant(source: string, { name, file, find, replace }: Mutant): Planted {
  const folder = mkdtempSync(join(tmpdir(), 'stint-mutant-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    cpSync(source, join(folder, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') })
    symlinkSync(join(source, '..', 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
    const path = join(folder, 'src', file)
    const text = readFileSync(path, 'utf8')
    const places = text.split(find).length - 1
    if (places !== 1) throw new Error(`"${name}": its place is in ${file} ${places} times, and must be there once.`)
    writeFileSync(
      path,
      text.replace(find, () => replace),
    )
  } catch (error) {
    remove()
    throw error
  }
  return { source: join(folder, 'src'), remove }
}
