import type { Agent, FoundAgents } from '../../agents/index.ts'
import type { ScopeAbout } from '../../core/index.ts'
import type { Governor, Scope } from '../../governor/index.ts'
import type { LimitsInput } from '../../policy/index.ts'
import type { ChainRequest, GroupOptions, GroupResumeOptions, ParallelRequest } from '../groups/group-request.ts'
import type { GroupResult } from '../groups/group-result.ts'
import type { Plan } from '../groups/plan/plan.ts'
import type { ModelSource } from '../models/model-source.ts'
import type { Spawner } from '../subagents/spawner.ts'
import type { TaskRecord } from '../tasks/task-record.ts'
import type { TaskStore } from '../tasks/task-store.ts'
import type { McpServer } from '../tools/mcp-server.ts'
import type { CostConsent } from './cost-consent.ts'
import type { RunResult } from './end/run-result.ts'
import type { RefusedStarts } from './refused-starts.ts'
import type { RunOptions, RunRequest } from './run-request.ts'

/** Runs agents, each as a task that survives this process. */
export interface Runner {
  /** Runs an agent until it ends or a limit pauses it. Throws only if it could not be started. */
  run(request: RunRequest, options?: RunOptions): Promise<RunResult>
  /** Resumes a task that was paused, or whose process died. Of several concurrent attempts exactly one succeeds. */
  resume(id: string, options?: ResumeOptions): Promise<RunResult>
  /** Runs several agents at once, which share the limits of their group. Throws only if nothing could be started. */
  parallel(request: ParallelRequest, options?: GroupOptions): Promise<GroupResult>
  /** The worst case of `parallel` or `chain` with this request. Starts nothing. */
  plan(request: ParallelRequest | ChainRequest): Promise<Plan>
  /** Runs the steps of a chain. Throws only if nothing could be started. */
  chain(request: ChainRequest, options?: GroupOptions): Promise<GroupResult>
  /** Resumes a group that was paused, or whose process died. Of several concurrent attempts exactly one succeeds. */
  resumeGroup(id: string, options?: GroupResumeOptions): Promise<GroupResult>
  /** The agent of this name, from its current file. Throws if there is none, or it is invalid. */
  agent(name: string, workingFolder: string): Agent
  /** A task with its current state in the ledger, even if its process could not save it; `null` if there is none. */
  look(id: string): Promise<TaskRecord | null>
  readonly tasks: TaskStore
}

export interface ResumeOptions extends RunOptions {
  /** Added to its limits before it continues, e.g. `{ turns: 10 }`. */
  readonly add?: LimitsInput
  /** Who resumes it, for the records. */
  readonly by?: string
}

/** Connects the programs of a run to it. */
export interface RunPlace {
  /** Variables for programs that `bash` starts. */
  readonly env: Readonly<Record<string, string>>
  close(): Promise<void>
}

export interface RunnerOptions {
  readonly governor: Governor
  readonly models: ModelSource
  /** Has one folder per task, named after its id. */
  readonly taskFolder: string
  /** Where git worktrees of agents are created: outside of their projects. Default: `TASKFOLDER-worktrees`. */
  readonly worktreeFolder?: string
  /** The environment for programs that tools start; provider keys are removed. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly findAgents: (workingFolder: string) => FoundAgents
  /** By the names that agents use. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>
  /** Configured servers that cannot be used, with the reason. */
  readonly unusableMcpServers?: ReadonlyMap<string, string>
  /** Paths that no tool may write, in addition to `.stint` and the agents' folders of the working folder. */
  readonly protectedPaths?: readonly string[]
  /** Paths that no tool may even read, e.g. the ledger's folder. */
  readonly hiddenPaths?: readonly string[]
  /**
   * Makes programs that `bash` starts part of the run. Called for agents that have `bash`. Without it, such programs
   * cannot act on the run's behalf.
   */
  readonly openPlace?: (scope: Scope) => Promise<RunPlace>
  /** What the ledger stores about a run with this task and who started it. Default: nothing. */
  readonly aboutRun?: (task: string) => ScopeAbout
  /** Variables with further keys, which are withheld from programs that tools start. */
  readonly furtherKeys?: readonly string[]
  /** `false`: a group that needs approval is paused before it starts, and continues when it is resumed. */
  readonly waitsForAnswer?: boolean
}

/** What every run of a runner shares. */
export interface RunnerContext extends RunnerOptions {
  readonly tasks: TaskStore
  /** How the agents of a run start others: with the same settings, or those of `context`. */
  createSpawner(context: RunnerContext): Spawner
  /** What children must find to be started. */
  readonly refusedStarts: RefusedStarts
  /** What the agents that a run starts may cost before a person is asked. */
  readonly consent?: CostConsent
}
