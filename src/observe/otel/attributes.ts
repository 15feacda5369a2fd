import type { Attributes } from '@opentelemetry/api'
import { NANO_USD_PER_USD, type StintEvent } from '../../core/index.ts'

type Call = Extract<StintEvent, { readonly event: 'call_settled' | 'reservation_assumed' }>

/** The names of the conventions, which still change: in one place. */
export const CONVENTION = {
  operation: 'gen_ai.operation.name',
  model: 'gen_ai.request.model',
  tool: 'gen_ai.tool.name',
  agentId: 'gen_ai.agent.id',
  agentName: 'gen_ai.agent.name',
  conversation: 'gen_ai.conversation.id',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  tokenType: 'gen_ai.token.type',
  tokenUsage: 'gen_ai.client.token.usage',
  duration: 'gen_ai.client.operation.duration',
  error: 'error.type',
} as const

/** The operation of a call, as the conventions name it. */
export function operationOf({ call }: Pick<Call, 'call'>): 'chat' | 'execute_tool' | 'other' {
  return call === 'model' ? 'chat' : call === 'tool' ? 'execute_tool' : 'other'
}

/** The model or the tool of a call. */
export function nameAttributes({ call, call_name: name }: Pick<Call, 'call' | 'call_name'>): Attributes {
  if (name === null || call === 'other') return {}
  return call === 'model' ? { [CONVENTION.model]: name } : { [CONVENTION.tool]: name }
}

/** The tokens of a call: `null` where it had none. */
export function tokensOf({
  charged,
}: Pick<Call, 'charged'>): { readonly input: number; readonly output: number } | null {
  const { tokens, outputTokens = 0 } = charged
  return tokens === undefined ? null : { input: Math.max(0, tokens - outputTokens), output: outputTokens }
}

/** Everything about a call that a span says. */
export function callAttributes(event: Call): Attributes {
  const tokens = tokensOf(event)
  return {
    [CONVENTION.operation]: operationOf(event),
    [CONVENTION.conversation]: event.run_id,
    [CONVENTION.agentName]: event.agent_name,
    ...nameAttributes(event),
    ...(tokens === null ? {} : { [CONVENTION.inputTokens]: tokens.input, [CONVENTION.outputTokens]: tokens.output }),
    'stint.cost_usd': (event.charged.cost ?? 0) / NANO_USD_PER_USD,
    'stint.assumed': event.event === 'reservation_assumed',
  }
}
