import type { Agent } from '../../agents/index.ts'
import { isPlainObject } from '../../core/index.ts'
import { readSmallFile } from '../tasks/read-small-file.ts'
import type { OutputFile } from './output-file.ts'

/**
 * What a run is, kept beside its transcript: all that is needed to go on with it as it was begun, whatever became of the
 * agent's file and the config since. Its limits are in the ledger. Never a key of anybody's.
 */
export interface SavedRun {
  readonly format: 'stint-run/1'
  readonly id: string
  readonly agent: Agent
  readonly task: string
  readonly workingFolder: string
  readonly system: string
  /** By their whole names: the first is the model of the run, the others are its fallbacks. */
  readonly models: readonly string[]
  /** Those of them that an untrusted file names, each with its place. Older runs have none. */
  readonly untrustedModels?: Readonly<Record<string, string>>
  /** `null`: all of ours. */
  readonly tools: readonly string[] | null
  readonly output: OutputFile | null
  readonly words: 'stint' | 'pi' | null
  readonly description: string | null
  readonly wrapUp: boolean
  readonly startedAtMs: number
}

/** What was kept of a run; `null` where nothing was, or it is of another program. */
export function readSavedRun(file: string, id: string): SavedRun | null {
  const text = readSmallFile(file)
  if (text === null) return null
  try {
    const saved: unknown = JSON.parse(text)
    if (!isPlainObject(saved) || saved.format !== 'stint-run/1' || saved.id !== id) return null
    const { agent, task, workingFolder, system, models } = saved
    const isWhole = isPlainObject(agent) && typeof agent.name === 'string' && Array.isArray(models) && models.length > 0
    const hasTexts = [task, workingFolder, system, ...(isWhole ? models : [])].every((each) => typeof each === 'string')
    return isWhole && hasTexts ? (saved as unknown as SavedRun) : null
  } catch {
    return null
  }
}
