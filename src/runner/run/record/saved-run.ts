import type { Acceptance, Agent } from '../../../agents/index.ts'
import { isPlainObject, type LimitSource } from '../../../core/index.ts'
import type { JsonSchema } from '../../../policy/index.ts'
import { readSmallFile } from '../../tasks/read-small-file.ts'
import type { OutputFile } from '../end/output-file.ts'

/**
 * Everything needed to resume a run as it was started, whatever has become of the agent's file and the config since.
 * Stored next to its transcript; its limits are in the ledger. Never contains a key.
 */
export interface SavedRun {
  readonly format: 'stint-run/1'
  readonly id: string
  readonly agent: Agent
  readonly task: string
  readonly workingFolder: string
  readonly system: string
  /** Full names: the run's model, then its fallbacks. */
  readonly models: readonly string[]
  /** The models that untrusted files name, with their places. Older runs have none. */
  readonly untrustedModels?: Readonly<Record<string, string>>
  /** `null`: all of our tools. */
  readonly tools: readonly string[] | null
  readonly output: OutputFile | null
  readonly words: 'stint' | 'pi' | null
  readonly description: string | null
  readonly wrapUp: boolean
  /** Older runs have none of these. */
  readonly outputSchema?: JsonSchema | null
  /** As it was when the run began: later changes to its file have no effect. */
  readonly acceptance?: Acceptance | null
  readonly reviewer?: Agent | null
  readonly group?: { readonly id: string; readonly sharedFolder: string | null } | null
  /** What the agents that it starts may cost before a person is asked. */
  readonly askAboveCost?: { readonly max: number; readonly source: LimitSource } | null
  /** How many messages at the start of its conversation come from another agent. */
  readonly handedOver?: number
  readonly startedAtMs: number
}

/** Reads a saved run; `null` if it is missing or invalid. */
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
