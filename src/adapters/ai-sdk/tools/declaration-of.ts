import type { ToolDeclaration } from './any-tool.ts'

/** Declared properties of tools, by name. */
export type ToolDeclarations = Readonly<Record<string, ToolDeclaration>>

/** The declaration of a tool; empty if there is none. */
export function declarationOf(declare: ToolDeclarations, name: string): ToolDeclaration {
  return Object.hasOwn(declare, name) ? declare[name]! : {}
}
