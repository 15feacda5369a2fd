import type { Breach } from '../../core/index.ts'

/** How to resume a paused run. A limit that paused it pauses it again unless it is raised. */
export function resumeHint(id: string, breach: Breach | null): string {
  const command = `stint resume ${id}`
  if (breach === null) return command
  const { scope, source, per } = breach
  const amount = `${source.written}=…${per === null ? '' : `/${per}`}`
  return scope === id ? `${command} --add ${amount}` : `${command} (first: stint raise ${scope} --limit ${amount})`
}

/** How to answer the request that it waits for, as a line of a summary; nothing if there is none. */
export function answerHint(request: string | null): readonly string[] {
  return request === null ? [] : [`  To answer: stint approve ${request} (or: stint deny ${request})`]
}
