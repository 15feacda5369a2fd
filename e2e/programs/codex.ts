import { loopForEver, toolThenText } from '../../src/testing/provider/index.ts'
import { type AgentProgram, CLOSING, UUID } from './agent-program.ts'

const TOOL = { toolName: 'exec_command', arguments: (count: number) => ({ cmd: `echo ${count}` }) }
const COMMAND = ['codex', 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']
const TASK = ['--model', 'gpt-5', 'count for ever']

/** OpenAI's, by the settings that `stint exec` adds to its arguments. */
export const codex: AgentProgram = {
  name: 'Codex',
  command: [...COMMAND, ...TASK],
  // Without a provider of its own it goes to OpenAI's address, whatever the variables say.
  directCommand: ({ provider }) => {
    const settings = [
      'model_provider="scripted"',
      'model_providers.scripted.name="Scripted"',
      `model_providers.scripted.base_url="${provider.openaiUrl}"`,
      'model_providers.scripted.wire_api="responses"',
      'model_providers.scripted.env_key="OPENAI_API_KEY"',
    ]
    return [...COMMAND, ...settings.flatMap((setting) => ['-c', setting]), ...TASK]
  },
  settings: () => ({}),
  tool: TOOL,
  loops: loopForEver({ ...TOOL, closing: CLOSING }),
  worksTwice: toolThenText(2, { ...TOOL, arguments: { cmd: 'echo once' } }),
  // It offers the provider's web search in every request: a small budget must not be set aside for that.
  costUsd: 0.08,
  unusedToolCalls: 1,
  // It writes its metadata in no order.
  drift: [UUID, /Chunk ID: \w+/g, /Wall time: [\d.]+/g, /"client_metadata":\{("\w[^"]*":"(\\.|[^"\\])*",?)*\}/g],
}
