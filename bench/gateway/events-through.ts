import { countEvents } from './count-events.ts'
import type { Subject } from './stage.ts'

/**
 * How many events a stream has that came through each of the subjects, counted in what arrived. Throws where they do not
 * all pass on the same number: then their figures cannot be compared.
 */
export async function eventsThrough(subjects: readonly Subject[], body: string): Promise<number> {
  const counts: number[] = []
  for (const { port, path, headers } of subjects) {
    const { host: _, ...others } = headers
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...others },
      body,
    })
    counts.push(countEvents(await answer.text()))
  }
  if (new Set(counts).size === 1 && counts[0]! > 0) return counts[0]!
  const listed = subjects.map(({ name }, index) => `${name}: ${counts[index]}`).join('; ')
  throw new Error(`The same stream arrived with different numbers of events, or with none: ${listed}`)
}
