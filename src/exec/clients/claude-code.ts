import { basename } from 'node:path'
import { PLACEHOLDER } from '../../system/provider-variables.ts'
import type { ClientChanges, PlannedCommand } from './client.ts'

/**
 * Claude Code asks its user whether to use an API key that it has not seen before, and suggests "no". It doesn't ask
 * about tokens, so its placeholder is a token.
 */
export function prepareClaudeCode(planned: PlannedCommand): ClientChanges {
  if (planned.env.ANTHROPIC_API_KEY !== PLACEHOLDER || !runsClaudeCode(planned)) return {}
  return { env: { ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: PLACEHOLDER } }
}

const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'fish']
// They run the program named by their arguments.
const WRAPPERS = ['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'bun', 'node', 'env', 'nice', 'nohup', 'timeout', 'script']
const PROGRAM = /(?:^|\/)claude(?:-code)?(?:@[\w.-]+|\/cli\.[cm]?js)?$/
// In a shell command line: as a command, not as an argument of another one.
const IN_LINE = /(?:^|[;&|({]|\b(?:exec|env|then|do|else)\s)\s*(?:\w+=\S*\s+)*(?:\S*\/)?claude(?:\s|$)/

function runsClaudeCode({ command, args }: PlannedCommand): boolean {
  const name = basename(command)
  if (name === 'claude') return true
  if (SHELLS.includes(name)) return args.some((arg) => IN_LINE.test(arg))
  return WRAPPERS.includes(name) && args.some((arg) => PROGRAM.test(arg))
}
