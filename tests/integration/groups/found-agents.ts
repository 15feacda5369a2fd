import type { Agent, FoundAgents } from '../../../src/agents/index.ts'
import type { ScriptedRequest, ScriptedTurn } from '../../../src/scripted/scripted-types.ts'
import { createScriptedLanguageModel, type ScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'

/** Agents by their names, as if they had been found. */
export function foundAgents(agents: readonly Agent[]): () => FoundAgents {
  return () => ({
    agents: new Map(agents.map((agent) => [agent.name, agent])),
    problems: [],
    refused: new Map(),
    disabled: new Map(),
    hidden: [],
    leftOut: [],
  })
}

/** A model that answers each request by what it is asked: the text of its last message. */
export function modelThat(answer: (asked: string, request: ScriptedRequest) => ScriptedTurn): ScriptedLanguageModel {
  return createScriptedLanguageModel(function* (request) {
    for (;;) request = yield { usage: SMALL, ...answer(request.messages.at(-1)?.content ?? '', request) }
  })
}

const SMALL = { inputTokens: 100, outputTokens: 10 }
