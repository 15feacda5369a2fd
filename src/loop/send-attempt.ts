import type { ModelAnswer, ModelGrant } from '../governor/index.ts'
import type { AgentCall, SentAnswer } from './agent-call.ts'
import { grantedEdits } from './plan-call.ts'
import type { PlannedCall } from './planned-call.ts'
import { rememberUsage } from './prompt/remember-usage.ts'
import type { RequestView } from './request-view.ts'

interface AttemptOptions {
  readonly isHeldBack: boolean
  readonly isSecond?: boolean
  readonly onGrant?: () => void
}

/** Sends a planned call once it is granted, and records what its answer reveals about the prompt. */
export function sendAttempt<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
  planned: PlannedCall<Request>,
  { isHeldBack, isSecond = false, onGrant }: AttemptOptions,
): (grant: ModelGrant) => Promise<ModelAnswer<Sent>> {
  return async (grant) => {
    onGrant?.()
    call.attempts.sent++
    const edits = grantedEdits(call, planned.edits, grant)
    // An answer that a tight cap may truncate is held back too: the closing answer is better than half an answer.
    const isKept = isHeldBack || (grant.isTight && !call.request.isFormForced)
    const sent = await call.send({ planned, edits, grant, isHeldBack: isKept, isSecond })
    rememberUsage(call, planned.estimate, sent)
    return { value: sent, usage: sent.usage, isCut: sent.isCut }
  }
}
