// The provider behind every proxy of the benchmark: node provider.ts. Answers from prepared bytes, as fast as it can.
import { createPreparedProvider } from '../../src/testing/provider/index.ts'
import { MODEL } from './messages.ts'

const usage = { inputTokens: 400, outputTokens: 60 }
const { port } = await createPreparedProvider({ model: MODEL, usage, writesEachEvent: true })
process.send?.({ port })
process.on('disconnect', () => process.exit())
