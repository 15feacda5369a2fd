import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import type { ModelAttempt } from '../models/index.ts'
import { assistantMessage } from './assistant-message.ts'
import type { AnswerPart, ToolMessage, ToolResultPart } from './language-model.ts'
import type { ToolRecorder } from './recorded-tools.ts'
import type { RunDesk } from './run-desk.ts'
import type { RunAttempt } from './run-result.ts'
import { toolSummary } from './tool-summary.ts'

/** Writes down what a model and tools say as they say it, and tells whoever follows. */
export interface RunRecorder extends ToolRecorder {
  /** A step asks the model, before any request goes out. */
  onModelCall(): void
  /** An answer that has come to its end. None of its tool calls runs before this has resolved. */
  onAnswer(content: readonly AnswerPart[]): Promise<void>
  onAttempt(attempt: ModelAttempt): void
  /** A step is over: what the AI SDK has answered by itself is written down with the rest. */
  onStep(step: { readonly response: { readonly messages: readonly unknown[] } }): Promise<void>
  attempts(): readonly RunAttempt[]
}

const MOST_ATTEMPTS = 1_000

export function createRunRecorder(
  scope: Scope,
  desk: RunDesk,
  model: string,
  earlier: readonly RunAttempt[] = [],
): RunRecorder {
  const attempts: RunAttempt[] = [...earlier]
  // Of the answer that was last given: some models give each turn the same ids.
  let open = new Set<string>()
  let current = model
  let calls = 0

  async function recordResult(result: ToolResultPart): Promise<void> {
    open.delete(result.toolCallId)
    await desk.record({ role: 'tool', content: [result] })
  }

  /** As far as is known here: the ledger is not asked for what is only shown. */
  function tellMeters(): void {
    const meters = edgeOf(scope).knownMeters()
    const rows = meters.map(({ meter, written, limit, settled }) => ({
      meter,
      name: written,
      used: settled,
      max: limit,
    }))
    desk.tell({ kind: 'meters', rows })
  }

  return {
    onModelCall() {
      desk.tell({ kind: 'model-call', model: current, number: ++calls })
    },
    onToolCall({ id, tool, input }) {
      desk.tell({ kind: 'tool-call', id, tool, summary: toolSummary(input) })
    },
    async onAnswer(content) {
      const message = assistantMessage(content)
      const parts = message.content
      open = new Set(parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])))
      if (parts.length > 0) await desk.record(message)
      const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
      if (text !== '') desk.tell({ kind: 'text', text })
      tellMeters()
    },
    async onResult(result, end) {
      await recordResult(result)
      desk.tell({ kind: 'tool-result', id: result.toolCallId, tool: result.toolName, end })
      tellMeters()
    },
    onAttempt({ model: tried, status, error }) {
      current = tried
      const last = attempts.at(-1)
      // An answer after another is no new attempt.
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
