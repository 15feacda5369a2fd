import type { Meter } from '../../core/index.ts'
import { edgeOf, spawnReport } from '../../governor/edge.ts'
import type { MeterUsage, Scope } from '../../governor/index.ts'
import type { GroupResult } from '../modes/group-result.ts'
import type { RunResult } from '../run/end/run-result.ts'

/** What a parent's tool call started. */
export type Spawned = RunResult | GroupResult

export function isGroup(result: Spawned): result is GroupResult {
  return 'results' in result
}

/** What the parent is told of a child: how it ended, what it spent, what is left, and its words. */
export async function reportChild(scope: Scope, result: Spawned): Promise<string> {
  const { output, partialOutput, usage } = result
  const pool = await edgeOf(scope).standings()
  const spent = spawnReport({ childUsage: settledOf(usage), pool })
  const said = output ?? partialOutput
  return [headline(result), spent, '', said ?? '(It has said nothing.)'].join('\n')
}

function headline(result: Spawned): string {
  const { id, status, error } = result
  const who = isGroup(result) ? `${result.name} (${result.counts})` : result.agent
  if (status === 'completed') return `${who}: completed. Its id is ${id}.`
  if (status === 'paused') {
    return `${who}: paused. ${error ?? ''} Continue without it, or later: { "action": "resume", "id": "${id}" }.`.replace(
      '  ',
      ' ',
    )
  }
  return `${who}: ${status}. ${error ?? 'It did not complete.'} What it has so far follows; do what is missing yourself, or order it again.`
}

function settledOf(usage: Readonly<Record<Meter, MeterUsage>>): Readonly<Partial<Record<Meter, number>>> {
  return Object.fromEntries(Object.entries(usage).map(([meter, { settled }]) => [meter, settled]))
}
