import { isEnded, type Status } from '../../core/index.ts'
import { type AcceptanceResult, isAcceptanceResult } from '../acceptance/acceptance-result.ts'
import { findReport } from '../acceptance/find-report.ts'
import { isRunResult, type RunResult, type RunStatus } from '../run/end/run-result.ts'
import { withValue } from '../run/end/with-value.ts'
import { rebuiltConversation } from '../run/record/rebuilt-conversation.ts'
import { readSavedRun } from '../run/record/saved-run.ts'
import type { RunnerContext } from '../run/runner.ts'
import { readSmallFile } from '../tasks/read-small-file.ts'
import { taskFiles } from '../tasks/task-files.ts'
import { readNote, readTranscript } from '../tasks/transcript.ts'

/** How far an agent of a group got. */
export type RecordedRun =
  /** It has no messages yet: it is started. */
  | { readonly kind: 'new' }
  /** It is resumed. */
  | { readonly kind: 'begun' }
  /** It has ended, and never runs again. */
  | { readonly kind: 'ended'; readonly result: RunResult }

/** What is known of a run from an earlier process: from the ledger, which takes precedence, and from its files. */
export async function recordedRun(context: RunnerContext, id: string): Promise<RecordedRun> {
  const { governor, taskFolder } = context
  const files = taskFiles(taskFolder, id)
  const scope = await governor.find(id)
  if (scope === null) return { kind: 'new' }
  const status = scope.status()
  const lines = readTranscript(files.transcript)
  if (!isEnded(status)) return { kind: lines.length === 0 ? 'new' : 'begun' }
  const kept = keptResult(files.meta)
  if (kept !== null && isEnded(kept.status)) return { kind: 'ended', result: kept }
  // It had ended, but its process died before it could store the result: its answer is in the transcript.
  const saved = readSavedRun(files.request, id)
  const words = lastWords(lines)
  const said = words === null || !saved?.acceptance ? words : findReport(words).rest
  const isDone = status === 'completed'
  const outcome = withValue(
    { status: status as RunStatus, output: isDone ? said : null, partialOutput: isDone ? null : said, error: null },
    saved?.outputSchema ?? null,
  )
  const { folder, input, transcript, meta } = files
  return {
    kind: 'ended',
    result: {
      id,
      agent: saved?.agent.name ?? '',
      path: scope.path,
      status: outcome.status,
      output: typeof outcome.output === 'string' ? outcome.output : null,
      ...(outcome.structured === undefined ? {} : { structured: outcome.structured }),
      ...acceptanceOf(files.transcript, status),
      partialOutput: outcome.partialOutput,
      breach: null,
      timedOut: status === 'timed-out',
      error: outcome.error === null ? (isDone ? null : `The run ended as ${status}.`) : String(outcome.error),
      usage: await scope.usage(),
      model: saved?.models[0] ?? null,
      attempts: [],
      durationMs: 0,
      mayBeHalfDone: false,
      children: [],
      artifacts: { folder, input, output: null, transcript, meta },
      resumeUrl: null,
      request: null,
      warnings: ['Its process died after it had answered: this is from its transcript.'],
    },
  }
}

/** As recorded when the work was judged. */
function acceptanceOf(transcript: string, status: Status): { readonly acceptance?: AcceptanceResult } {
  const noted = readNote(transcript, 'acceptance')?.acceptance
  if (!isAcceptanceResult(noted)) return {}
  if (status === 'completed') return { acceptance: noted }
  return { acceptance: { ...noted, status: status === 'failed' && noted.problems.length > 0 ? 'rejected' : 'claimed' } }
}

function keptResult(file: string): RunResult | null {
  try {
    const value: unknown = JSON.parse(readSmallFile(file) ?? 'null')
    return isRunResult(value) ? value : null
  } catch {
    return null
  }
}

function lastWords(lines: readonly unknown[]): string | null {
  const { messages, answer } = rebuiltConversation(lines)
  if (answer !== null && answer !== '') return answer
  const last = messages.findLast((message) => (message as { readonly role?: unknown }).role === 'assistant') as
    | { readonly content?: unknown }
    | undefined
  if (!Array.isArray(last?.content)) return null
  const text = last.content.flatMap((part: { readonly text?: unknown }) =>
    typeof part.text === 'string' ? [part.text] : [],
  )
  return text.length === 0 ? null : text.join('')
}
