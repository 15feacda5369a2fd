import type { Tool } from 'ai'
import type { ToolDeclaration } from '../../adapters/ai-sdk/index.ts'

/** A tool of the AI SDK, and its declaration for the governor. */
export interface DeclaredTool {
  readonly tool: Tool
  readonly declaration: ToolDeclaration
}
