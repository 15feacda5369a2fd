import type { CallResult } from '../../../core/index.ts'

// The usual price classes. Append only: their positions are what is stored.
const CLASSES = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'reasoningTokens',
  'audioInputTokens',
  'imageInputTokens',
  'videoInputTokens',
  'audioCacheReadTokens',
  'audioOutputTokens',
  'imageOutputTokens',
]

/** For each class its position, or its name if it has none, followed by its count. */
export type StoredUsage = readonly (number | string)[]

/** Usage without the names, which are longer than the counts. */
export function storedUsage(usage: NonNullable<CallResult['usage']>): StoredUsage {
  return Object.entries(usage).flatMap(([name, count = 0]) => {
    const place = CLASSES.indexOf(name)
    return [place === -1 ? name : place, count]
  })
}

/** The form of earlier versions is an object. */
export function usageFrom(stored: StoredUsage | NonNullable<CallResult['usage']>): NonNullable<CallResult['usage']> {
  if (!isStored(stored)) return stored
  const counts: [string, number][] = []
  for (let place = 0; place < stored.length; place += 2) {
    const name = stored[place]!
    counts.push([typeof name === 'number' ? CLASSES[name]! : name, Number(stored[place + 1])])
  }
  return Object.fromEntries(counts)
}

function isStored(stored: StoredUsage | NonNullable<CallResult['usage']>): stored is StoredUsage {
  return Array.isArray(stored)
}
