import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loopForEver, toolThenText } from '../../src/testing/provider/index.ts'
import { type AgentProgram, CLOSING, UUID } from './agent-program.ts'

const MODEL = 'claude-sonnet-4-5'
const TOOL = { toolName: 'bash', arguments: (count: number) => ({ command: `echo ${count}` }) }
const COMMAND = ['pi', '-p', '--offline', '--provider', 'scripted', '--model', MODEL, 'count for ever']

/** Pi, by a provider of its user's models file. */
export const pi: AgentProgram = {
  name: 'pi',
  command: COMMAND,
  directCommand: () => COMMAND,
  // Its own provider thinks; one of a models file does not.
  thinkingCommand: ['pi', '-p', '--offline', '--provider', 'anthropic', '--model', MODEL, 'count for ever'],
  settings({ provider, homeFolder, apiKey }) {
    const folder = join(homeFolder, '.pi/agent')
    const scripted = { baseUrl: provider.url, api: 'anthropic-messages', apiKey, models: [{ id: MODEL }] }
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'models.json'), JSON.stringify({ providers: { scripted } }))
    return { PI_OFFLINE: '1' }
  },
  tool: TOOL,
  loops: loopForEver({ ...TOOL, closing: CLOSING }),
  worksTwice: toolThenText(2, { ...TOOL, arguments: { command: 'echo once' } }),
  costUsd: 0.05,
  drift: [UUID],
}
