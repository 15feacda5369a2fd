import type { ToolDeclaration } from './any-tool.ts'

/** What is true of tools, by their names. */
export type ToolDeclarations = Readonly<Record<string, ToolDeclaration>>

/** What is declared of a tool; nothing, where nobody did. */
export function declarationOf(declare: ToolDeclarations, name: string): ToolDeclaration {
  return Object.hasOwn(declare, name) ? declare[name]! : {}
}
