// The provider behind every proxy of the benchmark: node provider.ts OPTIONS_AS_JSON. Answers from prepared bytes, as
// fast as it can.
import { createPreparedProvider } from '../../src/testing/provider/index.ts'
import { answerQuestions } from './answer-questions.ts'
import { MODEL } from './messages.ts'
import type { StreamShape } from './stage.ts'

const shape: StreamShape = JSON.parse(process.argv[2] ?? '{}')
const usage = { inputTokens: 400, outputTokens: 60 }
const { port } = await createPreparedProvider({ model: MODEL, usage, eventsPerWrite: 1, ...shape })
answerQuestions(port)
