import { jsonSchema, tool } from 'ai'
import type { DeclaredTool } from '../tools/declared-tool.ts'
import { ToolFailure } from '../tools/tool-failure.ts'

const INPUT = jsonSchema<{ readonly answer: string }>({
  type: 'object',
  properties: { answer: { type: 'string', description: 'The whole result, as it is to be handed over.' } },
  required: ['answer'],
  additionalProperties: false,
})

/** Ends the work with an answer. It is not counted as a tool call. */
export function submitTool(onSubmit: (answer: string) => void): DeclaredTool {
  return {
    declaration: { endsWork: true },
    tool: tool({
      description: 'Hands in the result and ends your work. Call it once, when everything is done.',
      inputSchema: INPUT,
      execute({ answer }) {
        if (typeof answer !== 'string' || answer.trim() === '') throw new ToolFailure('answer is missing.')
        onSubmit(answer)
        return 'Handed in.'
      },
    }),
  }
}
