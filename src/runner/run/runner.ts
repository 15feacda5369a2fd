import type { Agent, FoundAgents } from '../../agents/index.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import type { LimitsInput } from '../../policy/index.ts'
import type { ModelSource } from '../models/model-source.ts'
import type { TaskRecord } from '../tasks/task-record.ts'
import type { TaskShelf } from '../tasks/task-shelf.ts'
import type { McpServer } from '../tools/mcp-server.ts'
import type { RunOptions, RunRequest } from './run-request.ts'
import type { RunResult } from './run-result.ts'

/** Runs agents, each as a task that outlives this process. */
export interface Runner {
  /** Runs an agent to its end, or until a limit pauses it. Throws only where nothing could be started. */
  run(request: RunRequest, options?: RunOptions): Promise<RunResult>
  /** Goes on with a task that was paused, or left behind by its process: exactly one of all who try does. */
  resume(id: string, options?: ResumeOptions): Promise<RunResult>
  /** The agent of this name as its file is now. Throws where there is none, or it is not valid. */
  agent(name: string, workingFolder: string): Agent
  /** A task as the ledger knows it, where its process could not write it down; `null` if there is none. */
  look(id: string): Promise<TaskRecord | null>
  readonly tasks: TaskShelf
}

export interface ResumeOptions extends RunOptions {
  /** How much more it may have of what is limited, e.g. `{ turns: 10 }`, before it goes on. */
  readonly add?: LimitsInput
  /** Who resumes it, for the records. */
  readonly by?: string
}

/** Where the programs of a run find it. */
export interface RunPlace {
  /** Variables for what `bash` starts. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export interface RunnerOptions {
  readonly governor: Governor
  readonly models: ModelSource
  /** One folder for each task, named after its id. */
  readonly taskFolder: string
  /** What tools that start programs hand on, without the keys of providers. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly findAgents: (workingFolder: string) => FoundAgents
  /** By the names that agents call them by. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>
  /** Servers that are configured and cannot be used, each with a phrase that says why, or what to do. */
  readonly unusableMcpServers?: ReadonlyMap<string, string>
  /** What no tool may write, beside `.stint` and the agents' folders of the working folder. */
  readonly protectedPaths?: readonly string[]
  /** What no tool may even read, e.g. the folder of the ledger. */
  readonly hiddenPaths?: readonly string[]
  /**
   * Opens what lets programs that `bash` starts be a part of the run: called for an agent that has `bash`. Without it
   * they get nothing by which they could speak in the run's name.
   */
  readonly openPlace?: (scope: Scope) => Promise<RunPlace>
  /** Variables with keys beside those that everybody knows: they are kept from whatever tools start. */
  readonly furtherKeys?: readonly string[]
}
