import type { ContractAgent } from '../../../../src/testing/adapter-contract/adapter-under-test.ts'
import type { Wire } from '../agents.ts'
import { ANTHROPIC_CLIENT } from './anthropic-client.ts'
import { CHAT_CLIENT } from './chat-client.ts'
import type { Json } from './json.ts'
import { RESPONSES_CLIENT } from './responses-client.ts'

/** How a client of plain `fetch` speaks a dialect. */
export interface WireClient {
  /** Behind the address of the gateway and the key. */
  readonly path: string
  headers(name: string): Readonly<Record<string, string>>
  /** How a conversation begins. */
  begin(agent: ContractAgent): readonly Json[]
  body(agent: ContractAgent, conversation: readonly Json[]): Json
  /** Reads an answer, also one that ended too early. */
  readWhole(body: Json): WireAnswer
  readEvents(events: readonly Json[]): WireAnswer
  results(results: readonly WireResult[]): readonly Json[]
}

export interface WireAnswer {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: unknown }[]
  /** What it adds to the conversation. */
  readonly added: readonly Json[]
}

export interface WireResult {
  readonly id: string
  readonly text: string
  readonly isError: boolean
}

export const WIRE_CLIENTS: Readonly<Record<Wire, WireClient>> = {
  'anthropic-messages': ANTHROPIC_CLIENT,
  'openai-chat': CHAT_CLIENT,
  'openai-responses': RESPONSES_CLIENT,
}
