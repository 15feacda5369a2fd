import type { Scope } from '../../../governor/index.ts'
import type { ModelAttempt } from '../../models/index.ts'
import type { RunAttempt } from '../end/run-result.ts'
import { toolSummary } from '../end/tool-summary.ts'
import type { AnswerPart, ToolMessage, ToolResultPart } from '../language-model.ts'
import { meterRows } from '../meter-rows.ts'
import type { RunLog } from '../run-log.ts'
import { assistantMessage } from './assistant-message.ts'
import type { ToolRecorder } from './recorded-tools.ts'

/** Records answers and tool results as they arrive, and reports progress. */
export interface RunRecorder extends ToolRecorder {
  /** Called before a step's request is sent. */
  onModelCall(): void
  /** Called with each complete answer. Its tool calls run only after this has resolved. */
  onAnswer(content: readonly AnswerPart[]): Promise<void>
  onAttempt(attempt: ModelAttempt): void
  /** Called after each step. Records tool results that the AI SDK made itself. */
  onStep(step: { readonly response: { readonly messages: readonly unknown[] } }): Promise<void>
  attempts(): readonly RunAttempt[]
}

const MOST_ATTEMPTS = 1_000

export function createRunRecorder(
  scope: Scope,
  log: RunLog,
  model: string,
  earlier: readonly RunAttempt[] = [],
): RunRecorder {
  const attempts: RunAttempt[] = [...earlier]
  // The open calls of the last answer only: some models reuse ids in every turn.
  let open = new Set<string>()
  let current = model
  let calls = 0

  async function recordResult(result: ToolResultPart): Promise<void> {
    open.delete(result.toolCallId)
    await log.record({ role: 'tool', content: [result] })
  }

  const reportMeters = (): void => log.report({ kind: 'meters', rows: meterRows(scope) })

  return {
    onModelCall() {
      log.report({ kind: 'model-call', model: current, number: ++calls })
    },
    onToolCall({ id, tool, input }) {
      log.report({ kind: 'tool-call', id, tool, summary: toolSummary(input) })
    },
    async onAnswer(content) {
      const message = assistantMessage(content)
      const parts = message.content
      open = new Set(parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])))
      if (parts.length > 0) await log.record(message)
      const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
      if (text !== '') log.report({ kind: 'text', text })
      reportMeters()
    },
    async onResult(result, end) {
      await recordResult(result)
      log.report({ kind: 'tool-result', id: result.toolCallId, tool: result.toolName, end })
      reportMeters()
    },
    onLeftOpen: (id) => void open.delete(id),
    onAttempt({ model: tried, status, error }) {
      current = tried
      const last = attempts.at(-1)
      // Repeated answers of one model are one attempt.
      const isSame = last?.model === tried && last.status === status && last.error === error
      if (isSame || attempts.length >= MOST_ATTEMPTS) return
      attempts.push({ model: tried, status, error })
    },
    async onStep({ response }) {
      const last = response.messages.at(-1) as Partial<ToolMessage> | undefined
      if (last?.role !== 'tool') return
      for (const part of last.content ?? []) {
        if (part.type === 'tool-result' && open.has(part.toolCallId)) await recordResult(part)
      }
    },
    attempts: () => attempts,
  }
}
