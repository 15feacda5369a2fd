import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createTools, type RunnerTools, type ToolsOptions } from './create-tools.ts'

let runs = 0

/** Tools in temporary folders, which are removed when the test ends. */
export interface TestTools extends RunnerTools {
  readonly folder: string
  readonly artifactFolder: string
  /** Next to the working folder, out of bounds for the tools. */
  readonly outside: string
  readonly runId: string
  /** Calls a tool as the AI SDK does. */
  call(name: string, input: object, signal?: AbortSignal): Promise<string>
  /** Puts a file into the working folder. */
  put(path: string, content: string | Uint8Array): string
}

export async function openTools(options: Partial<ToolsOptions> = {}): Promise<TestTools> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'stint-tools-')))
  const folder = join(base, 'work')
  const artifactFolder = join(base, 'artifacts')
  const outside = join(base, 'outside')
  for (const each of [folder, outside]) mkdirSync(each)
  const runId = `test-${process.pid}-${++runs}`
  const { PATH, HOME } = process.env
  const tools = await createTools({
    workingFolder: folder,
    artifactFolder,
    names: null,
    env: { PATH, HOME },
    runId,
    ...options,
  })
  onTestFinished(async () => {
    await tools.close()
    rmSync(base, { recursive: true, force: true })
  })
  return {
    ...tools,
    folder,
    artifactFolder,
    outside,
    runId,
    async call(name, input, abortSignal) {
      const execute = tools.tools[name]?.execute
      if (execute === undefined) throw new Error(`no tool ${name}`)
      const given = { toolCallId: '1', messages: [], ...(abortSignal === undefined ? {} : { abortSignal }) }
      return String(await execute(input, given))
    },
    put(path, content) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
  }
}

/** Polls until it is true; bounded by the test's own timeout. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}
