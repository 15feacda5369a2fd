import type { JsonSchema } from '../../../policy/index.ts'
import { structuredAnswer } from '../end/structured-answer.ts'
import type { AnswerCheck } from './answer-check.ts'

// An answer in the wrong format is sent back once, even if the agent has only one attempt.
const LEAST_ATTEMPTS = 2

/** Compares an answer with its schema, and sends it back while attempts are left. */
export function schemaCheck(schema: JsonSchema, attempts: number): AnswerCheck {
  const most = Math.max(LEAST_ATTEMPTS, attempts)
  return {
    name: 'schema',
    tries: most - 1,
    async check({ text }, sentBack) {
      const read = structuredAnswer(text, schema)
      if (read.kind === 'valid') return { kind: 'passed', findings: { structured: read.value } }
      const error = new Error(`The answer does not match outputSchema. ${read.message}`)
      const attempt = sentBack.by('schema') + 1
      const asked = `Your answer was not accepted (attempt ${attempt} of ${most}). ${error.message} Send the JSON value again, and nothing else.`
      return { kind: 'refused', text: asked, error }
    },
  }
}
