// The plain loop as a program: `plain-agent.ts WIRE PROMPT_BYTES`, with thinking and cache marks where the wire has them.
import { type PlainWire, runPlainLoop } from '../gateway/plain-loop.ts'

const [wire = 'openai-chat', promptBytes = '84000'] = process.argv.slice(2)
const { ANTHROPIC_BASE_URL, OPENAI_BASE_URL } = process.env
const { text, refusal } = await runPlainLoop({
  wire: wire as PlainWire,
  baseUrl: (wire === 'anthropic-messages' ? ANTHROPIC_BASE_URL : OPENAI_BASE_URL) ?? '',
  promptBytes: Number(promptBytes),
  isMarked: true,
  thinks: true,
})
if (refusal === null) console.log(text)
else {
  console.error(`refused with ${refusal.status}: ${refusal.message}`)
  process.exitCode = 3
}
