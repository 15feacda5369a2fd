import type { ChainSource } from './chain.ts'

/** Where the text of a chain comes from. */
export interface ChainOrigin {
  readonly source: ChainSource
  /** As shown in messages; for a chain passed in code, the call. */
  readonly file: string
  /** Whether that is a file. */
  readonly isFile: boolean
  /** The default name of the chain. */
  readonly name: string
  lineOf(field: string): number | undefined
  /** Reads a schema from its own file: its content, or why it cannot be read. */
  readSchema(path: string): { readonly value: unknown } | string
}

/** A chain that was passed in code. */
export function originInCode(call: string): ChainOrigin {
  return {
    source: 'call',
    file: call,
    isFile: false,
    name: 'chain',
    lineOf: () => undefined,
    readSchema: () => 'a chain in code must have its schemas in code',
  }
}
