const SLOT = '{budget}'

/**
 * A prompt with the line in its `{budget}` placeholders, or as its last paragraph. The rest of the prompt is unchanged.
 */
export function fillPromptLine(prompt: string, line: string): string {
  // A function, because a dollar sign is special in a replacement string.
  if (prompt.includes(SLOT)) return prompt.replaceAll(SLOT, () => line)
  if (line === '') return prompt
  return prompt.trim() === '' ? line : `${prompt.trimEnd()}\n\n${line}`
}
