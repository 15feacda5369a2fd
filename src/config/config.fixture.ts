import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { isStintError } from '../core/index.ts'
import type { Config } from './config.ts'
import type { ConfigFlags } from './load-config.ts'
import type { Machine } from './machine.ts'
import { type PrepareOptions, prepareConfig } from './prepare-config.ts'

/** A machine with a home and a project, for tests that write files. */
export interface TestMachine extends Machine {
  readonly folder: string
  /** Writes a file below `folder` and returns its path. */
  write(path: string, text: string): string
  load(flags?: ConfigFlags, options?: PrepareOptions): Promise<Config>
}

export function createMachine(env: Machine['env'] = {}): TestMachine {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stint-config-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const machine = { env, workingFolder: join(folder, 'project/below'), homeFolder: join(folder, 'home') }
  mkdirSync(machine.workingFolder, { recursive: true })
  return {
    ...machine,
    folder,
    write(path, text) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      return file
    },
    load: async (flags = {}, options) => (await prepareConfig(machine, flags, options))(),
  }
}

/** A stand-in for a key. */
export const CANARY = 'sk-ant-canary-0123456789'

/** Expects that a config is refused with a message, and that the refusal never shows the canary. */
export function expectDiscreetRefusal(parse: () => unknown, ...messages: readonly string[]): void {
  let thrown: unknown = null
  try {
    parse()
  } catch (error) {
    thrown = error
  }
  expect(isStintError(thrown, 'invalid_config')).toBe(true)
  const { message } = thrown as Error
  for (const expected of messages) expect(message).toContain(expected)
  for (const text of [message, JSON.stringify(thrown), inspect(thrown, { depth: 10 })]) {
    expect(text).not.toContain(CANARY)
  }
}
