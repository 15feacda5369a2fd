/** A tool call that waits for approval. */
export interface ApprovalRequest {
  readonly approvalId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

interface Part {
  readonly type?: unknown
  readonly approvalId?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
}

/** The approval requests in the last answer of a conversation that have not been answered. */
export function openApprovals(messages: readonly unknown[]): readonly ApprovalRequest[] {
  const last = messages.findLastIndex((message) => (message as { readonly role?: unknown }).role === 'assistant')
  if (last === -1) return []
  const asked = partsOf(messages[last])
  const answered = messages
    .slice(last + 1)
    .flatMap(partsOf)
    .filter(({ type }) => type === 'tool-approval-response')
  return asked.flatMap(({ type, approvalId = '', toolCallId = '' }) => {
    if (type !== 'tool-approval-request' || answered.some((each) => each.approvalId === approvalId)) return []
    const call = asked.find((each) => each.type === 'tool-call' && each.toolCallId === toolCallId)
    return [{ approvalId, toolCallId, toolName: call?.toolName ?? '', input: call?.input }]
  })
}

function partsOf(message: unknown): readonly Part[] {
  const { content } = message as { readonly content?: unknown }
  return Array.isArray(content) ? content : []
}
