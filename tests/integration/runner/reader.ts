import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'

/** What a reader reads. */
export const FILES = { a: 'text of a', b: 'text of b', c: 'text of c' }

/** A turn that reads one file. */
export const read = (path: string) => ({ text: `Reading ${path}.`, toolCalls: [{ name: 'read', arguments: { path } }] })

/** Reads a, b and c, each once: it asks for whatever the conversation has no text of yet. */
export const reader = (modelId?: string) =>
  createScriptedLanguageModel(
    function* (request) {
      for (;;) {
        const said = JSON.stringify(request.messages)
        const path = ['a', 'b', 'c'].find((each) => !said.includes(`text of ${each}`))
        request = yield path === undefined ? { text: 'All read.' } : read(path)
      }
    },
    modelId === undefined ? {} : { modelId },
  )
