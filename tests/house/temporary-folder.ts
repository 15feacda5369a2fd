import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new folder with these files. The caller removes it. */
export function createFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-house-')))
  for (const [path, text] of Object.entries(files)) writeFileInFolder(folder, path, text)
  return folder
}

/** The same for one test, removed when that test ends. */
export function createTemporaryFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = createFolder(files)
  onTestFinished(() => removeFolder(folder))
  return folder
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** Writes a file, and the folders on its way. */
export function writeFileInFolder(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
