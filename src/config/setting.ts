import type * as z from 'zod/mini'
import type { Document } from '../documents/index.ts'
import type { ConfigProblem } from './invalid-config-error.ts'

/** The config file that is being read. */
export interface Reading {
  readonly document: Document
  readonly layer: 'user' | 'project'
  /** The path that is meant: it starts at the folder of the file, `~/` at the home folder. */
  pathOf(written: string): string
  /** Collects everything that is wrong. */
  readonly problems: ConfigProblem[]
}

/** One setting, described once: the reader, the JSON schema and the table in the docs are made from this. */
export interface Setting<Written, Value> {
  /** What may be written. Its errors say what is wrong and give a valid form. */
  readonly schema: z.ZodMiniType<Written>
  /** In Markdown, for the docs. Editors show it without its links. */
  readonly description: string
  /** Which value applies if two files set it. */
  readonly twoFiles: string
  /** What a project's file may set before its folder is trusted. Left out: the setting needs trust. */
  readonly untrusted?: string
  /** Whether each name in it is trusted separately, so that a new name does not ask about the others again. */
  readonly isByName?: boolean
  /** Whether it may contain a key by mistake: then its values are never shown or stored. */
  readonly isSecret?: boolean
  /** What it allows, for the trust prompt: starts with a verb, and never shows a secret. */
  allows?(value: unknown, name: string): string
  /** Its value when it is not set. */
  readonly none: NoInfer<Value>
  /** Turns the written value into its meaning. Can refuse what a schema cannot. */
  read(written: Written, reading: Reading): Value
}

/** Describes a setting. */
export function setting<Written, Value>(description: Setting<Written, Value>): Setting<Written, Value> {
  return description
}
