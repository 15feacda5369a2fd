import type { ChainRequest, GroupOptions, GroupResumeOptions, ParallelRequest } from '../groups/group-request.ts'
import type { GroupResult } from '../groups/group-result.ts'
import type { RunResult } from '../run/end/run-result.ts'
import type { ChildRequest, RunOptions } from '../run/run-request.ts'

/** `parent`: the run whose agent ordered the group. */
type SpawnedGroupOptions = GroupOptions & { readonly parent: string }

/** How an agent's tools start other agents. The runner passes it to its own runs. */
export interface Spawner {
  run(request: ChildRequest, options: RunOptions): Promise<RunResult>
  resume(id: string, options: RunOptions): Promise<RunResult>
  parallel(request: ParallelRequest, options: SpawnedGroupOptions): Promise<GroupResult>
  chain(request: ChainRequest, options: SpawnedGroupOptions): Promise<GroupResult>
  resumeGroup(id: string, options: GroupResumeOptions): Promise<GroupResult>
  /** The result of a group that has ended without storing it. */
  recoverGroup(id: string): Promise<GroupResult>
}
