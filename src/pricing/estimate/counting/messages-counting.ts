import type { TokenCounting } from './token-counting.ts'

/** `POST /v1/messages/count_tokens`. The last four need a beta header, which a request with them has anyway. */
export const MESSAGES_COUNTING: TokenCounting = {
  route: '/count_tokens',
  fields: new Set([
    'cache_control',
    'messages',
    'model',
    'output_config',
    'speed',
    'system',
    'thinking',
    'tool_choice',
    'tools',
    'compaction',
    'context_management',
    'mcp_servers',
    'output_format',
  ]),
}
