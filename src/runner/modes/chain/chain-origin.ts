import type { ChainSource } from './chain.ts'

/** Where the text of a chain comes from. */
export interface ChainOrigin {
  readonly source: ChainSource
  /** As messages show it; of a chain that was handed over, the call. */
  readonly file: string
  /** Whether that is a file. */
  readonly isFile: boolean
  /** The name of a chain that gives itself none. */
  readonly name: string
  lineOf(field: string): number | undefined
  /** Reads a schema that is kept in a file of its own: what it says, or why it cannot be read. */
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
    readSchema: () => 'a chain in code has its schemas in code, too',
  }
}
