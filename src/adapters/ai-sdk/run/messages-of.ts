/** The messages that an AI SDK call starts with, in whichever form they were given. */
export function messagesOf(
  call: string | { readonly prompt?: unknown; readonly messages?: unknown },
): readonly unknown[] {
  const { prompt, messages } = typeof call === 'string' ? { prompt: call, messages: undefined } : call
  if (Array.isArray(messages)) return messages
  return Array.isArray(prompt) ? prompt : [{ role: 'user', content: prompt }]
}
