import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder for one test, removed when that test ends. */
export function logFolderFixture(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-jsonl-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The `seq` of every line of a file; throws if a line is not JSON. */
export function seqsIn(file: string): readonly number[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  if (text !== '' && !text.endsWith('\n')) throw new Error(`${file} ends in the middle of a line`)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).seq)
}
