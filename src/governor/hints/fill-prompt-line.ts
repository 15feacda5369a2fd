const SLOT = '{budget}'

/** A prompt with the line in its `{budget}` slots, or as its last paragraph. Nothing else of the prompt changes. */
export function fillPromptLine(prompt: string, line: string): string {
  // A function, since in a replacement text a dollar sign is not always one.
  if (prompt.includes(SLOT)) return prompt.replaceAll(SLOT, () => line)
  if (line === '') return prompt
  return prompt.trim() === '' ? line : `${prompt.trimEnd()}\n\n${line}`
}
