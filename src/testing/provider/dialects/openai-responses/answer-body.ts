import type { Answer } from '../../answer/answer.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { outputItems } from './output-items.ts'
import { usageOf } from './usage.ts'

/** The answer in one piece. */
export function answerBody(answer: Answer): JsonObject {
  return {
    ...responseHead(answer),
    status: isIncomplete(answer) ? 'incomplete' : 'completed',
    incomplete_details: isIncomplete(answer) ? { reason: 'max_output_tokens' } : null,
    completed_at: answer.createdAtSeconds,
    output: outputItems(answer),
    ...usageOf(answer, answer.usage.outputTokens),
  }
}

/** Whether the output cap ended it. */
export function isIncomplete({ choices }: Answer): boolean {
  return choices[0]!.stop === 'length'
}

/** A response without output: mostly the request, repeated. */
export function responseHead({
  serial,
  createdAtSeconds,
  request: { body, model, askedOutputTokens },
}: Answer): JsonObject {
  return {
    id: `resp_${serial}`,
    object: 'response',
    created_at: createdAtSeconds,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: askedOutputTokens,
    max_tool_calls: body.max_tool_calls ?? null,
    model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: body.reasoning ?? { effort: null, summary: null },
    safety_identifier: null,
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: 0,
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    user: null,
    metadata: body.metadata ?? {},
  }
}
