import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Claim } from './claim.ts'

/** A folder for one test, removed when that test ends. */
export function trustFolderFixture(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-trust-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A claim about where a log is written. */
export function claimFixture(more: Partial<Claim> = {}): Claim {
  return {
    folder: '/project',
    name: 'stint.config.yaml',
    path: ['log'],
    value: './x.log',
    place: 'log in /project/stint.config.yaml:1',
    allows: 'logs to /project/x.log',
    ...more,
  }
}
