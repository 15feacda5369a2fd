import { loopForEver, toolThenText } from '../../src/testing/provider/index.ts'
import { type AgentProgram, CLOSING, UUID } from './agent-program.ts'

const TOOL = {
  toolName: 'bash',
  arguments: (count: number) => ({ command: `echo ${count}`, description: 'Count' }),
}
const commandWith = (model: string) => ['opencode', 'run', '--model', model, 'count for ever']
const COMMAND = commandWith('anthropic/claude-sonnet-4-5')

/** opencode, by the JSON in its variable. */
export const opencode: AgentProgram = {
  name: 'opencode',
  command: COMMAND,
  directCommand: () => COMMAND,
  thinkingCommand: commandWith('openai/gpt-5'),
  settings: ({ provider }) => ({
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      provider: {
        anthropic: { options: { baseURL: `${provider.url}/v1` } },
        openai: { options: { baseURL: provider.openaiUrl } },
      },
      share: 'disabled',
    }),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  }),
  tool: TOOL,
  loops: loopForEver({ ...TOOL, closing: CLOSING }),
  worksTwice: toolThenText(2, { ...TOOL, arguments: { command: 'echo once', description: 'Say' } }),
  costUsd: 0.15,
  // A title for the session, beside the first call.
  sideCalls: 1,
  drift: [UUID, /\bses_\w+/g],
}
