import { assertKnownOptions, optionNames } from '../../core/index.ts'
import type { CallOutcome, ToolGrant, ToolSpec } from '../call.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import { admitCall } from './admit-call.ts'
import { assertCallerThere } from './assert-caller-there.ts'
import { endingOf } from './ends/ending-of.ts'
import { runWithSignal } from './ends/run-with-signal.ts'
import { stoppedOutcome } from './ends/stopped-outcome.ts'
import type { CallInfo } from './room-request.ts'
import { releaseRoom, settleRoom } from './settle-room.ts'
import { assertWait } from './waiting/assert-wait.ts'

const TOOL_SPEC = optionNames<ToolSpec>({ name: true, changes: true, endsWork: true, timeoutMs: true, signal: true })

// An agent that keeps failing to end its work makes no progress: from here on, each such call counts like any other.
const FREE_FAILED_ENDS = 3

/** Runs a tool within the limits of its scope. Rethrows what the tool throws, once the call is counted. */
export async function callTool<Value>(
  runtime: ScopeRuntime,
  tool: ToolSpec,
  run: (grant: ToolGrant) => Promise<Value> | Value,
): Promise<CallOutcome<Value>> {
  assertKnownOptions('scope.callTool', tool, TOOL_SPEC)
  const { clock, waitMs } = runtime.context
  const { name, timeoutMs, signal: caller, changes = false, endsWork = false } = tool
  if (timeoutMs !== undefined) assertWait('callTool({ timeoutMs })', timeoutMs, 1)
  const call: CallInfo = { call: 'tool', name, startedAtMs: clock.monotonicMs() }
  const isFree = endsWork && runtime.failedEnds < FREE_FAILED_ENDS
  const amounts = isFree ? {} : { toolCalls: 1 }
  const asked = { amounts, waitMs, call, ...(caller === undefined ? {} : { signal: caller }) }
  const room = await admitCall(runtime, asked)
  if (room.kind === 'refused') return room
  if (caller?.aborted === true) {
    await releaseRoom(runtime, room.id)
    assertCallerThere(caller)
  }
  const end = await runWithSignal(runtime, { timeoutMs, changes }, (signal) => run({ signal }))
  if (endsWork && end.kind === 'done') runtime.hasEndedWork = true
  else if (endsWork) runtime.failedEnds++
  if (end.kind === 'not-run') await releaseRoom(runtime, room.id)
  else await settleRoom(runtime, room.id, amounts, call, { result: { ending: endingOf(end) } })
  if (end.kind === 'done') return { kind: 'done', value: end.value, clampedTo: null }
  return stoppedOutcome(runtime, end, changes)
}
