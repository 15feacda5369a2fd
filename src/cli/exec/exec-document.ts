import { basename } from 'node:path'
import { isPlainObject } from '../../core/index.ts'

/** What is saved with a run of `exec`, so that `stint resume` can restart its command. Never a key. */
export interface ExecDocument {
  readonly kind: 'exec'
  readonly command: string
  readonly args: readonly string[]
  readonly workingFolder: string
  /** The client's own id of its conversation; `null` if it sent none. */
  readonly sessionId: string | null
  readonly graceMs: number
  readonly allowedKeys: readonly string[]
}

/** `null` for another kind of run. */
export function readExecDocument(value: unknown): ExecDocument | null {
  if (!isPlainObject(value) || value.kind !== 'exec') return null
  const { command, args, workingFolder, sessionId, graceMs, allowedKeys } = value
  const isWhole = typeof command === 'string' && typeof workingFolder === 'string' && typeof graceMs === 'number'
  if (!isWhole || !isTexts(args) || !isTexts(allowedKeys)) return null
  const session = typeof sessionId === 'string' ? sessionId : null
  return { kind: 'exec', command, args, workingFolder, sessionId: session, graceMs, allowedKeys }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

// Claude Code's flags that choose a conversation, and whether a value follows.
const SESSION_FLAGS: Readonly<Record<string, boolean>> = {
  '--resume': true,
  '-r': true,
  '--session-id': true,
  '--continue': false,
  '-c': false,
}

/** The arguments to continue the command with: Claude Code resumes its conversation. */
export function resumedArgs({ command, args, sessionId }: ExecDocument): readonly string[] {
  if (basename(command) !== 'claude' || sessionId === null) return args
  const rest = args.filter((arg, index) => {
    const before = args[index - 1] ?? ''
    const isValue = Object.hasOwn(SESSION_FLAGS, before) && SESSION_FLAGS[before] === true
    return !isValue && !Object.hasOwn(SESSION_FLAGS, arg.split('=', 1)[0]!)
  })
  return ['--resume', sessionId, ...rest]
}
