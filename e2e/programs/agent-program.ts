import type { LoopOptions, ProviderScript, ScriptedProvider } from '../../src/testing/provider/index.ts'

/** What a program needs to know of the machine that it runs on. */
export interface ProgramPlace {
  readonly provider: Pick<ScriptedProvider, 'url' | 'openaiUrl'>
  /** What it has as the key of its provider. */
  readonly apiKey: string
  /** Its home: nothing of whoever runs the tests is in it. */
  readonly homeFolder: string
}

/** A real agent program, as the tests run it. */
export interface AgentProgram {
  readonly name: string
  /** The command with the prompt `count for ever`; what it prints is the final answer and nothing else. */
  readonly command: readonly string[]
  /** The same straight at the provider, without Stint between them. */
  directCommand(place: ProgramPlace): readonly string[]
  /** What its user has set, apart from the usual variables. Writes the files that it reads, too. */
  settings(place: ProgramPlace): Readonly<Record<string, string>>
  /** The command with a model that thinks, where the usual one has none. */
  readonly thinkingCommand?: readonly string[]
  /** A call of its own shell tool that does next to nothing. */
  readonly tool: Pick<LoopOptions, 'toolName' | 'arguments'>
  /** A model that uses the program's own shell tool for ever, until it may not. */
  readonly loops: ProviderScript
  /** The same for two rounds; then it says that it is done. */
  readonly worksTwice: ProviderScript
  /** A cost limit in USD under which some rounds fit. */
  readonly costUsd: number
  /** Calls that it makes beside its loop, without tools. Default: none. */
  readonly sideCalls?: number
  /**
   * Tool calls of a limit that stay unused: each request lists a search that its provider runs, and that might take one.
   * Default: none.
   */
  readonly unusedToolCalls?: number
  /** What differs between two runs of the same: ids and times. */
  readonly drift: readonly RegExp[]
}

/** What a model says that may not go on. */
export const CLOSING = 'This is how far I came.'

/** An id as all of them make them. */
export const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
