import { loopForEver, toolThenText } from '../../src/testing/provider/index.ts'
import { type AgentProgram, CLOSING, UUID } from './agent-program.ts'

const MODEL = 'claude-sonnet-4-5'
const TOOL = {
  toolName: 'Bash',
  arguments: (count: number) => ({ command: `echo ${count}`, description: 'Count' }),
}
const COMMAND = ['claude', '-p', 'count for ever', '--model', MODEL, '--allowedTools', 'Bash,Task,Agent']

/** Anthropic's, by its variables. */
export const claudeCode: AgentProgram = {
  name: 'Claude Code',
  command: COMMAND,
  directCommand: () => COMMAND,
  settings: () => ({
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  tool: TOOL,
  loops: loopForEver({ ...TOOL, closing: CLOSING }),
  worksTwice: toolThenText(2, { ...TOOL, arguments: { command: 'echo once', description: 'Say' } }),
  costUsd: 0.5,
  drift: [UUID, /\bcch=\w+/g],
}
