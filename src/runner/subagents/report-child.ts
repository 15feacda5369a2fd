import type { Meter } from '../../core/index.ts'
import { edgeOf, spawnReport } from '../../governor/edge.ts'
import type { MeterUsage, Scope } from '../../governor/index.ts'
import type { GroupResult } from '../groups/group-result.ts'
import { joinOutputsWithin } from '../groups/join-outputs.ts'
import type { RunResult } from '../run/end/run-result.ts'
import type { Artifacts } from '../tools/output/artifacts.ts'

/** What a parent's tool call started. */
export type Spawned = RunResult | GroupResult

export function isGroup(result: Spawned): result is GroupResult {
  return 'results' in result
}

// A report goes into every further request of the parent.
const LONGEST_REPORT = 50_000

/** The report on a child for its parent: how it ended, what it spent, what is left, and its answer. */
export async function reportChild(scope: Scope, result: Spawned, artifacts: Artifacts): Promise<string> {
  const { output, partialOutput, usage } = result
  const pool = await edgeOf(scope).standings()
  const spent = spawnReport({ childUsage: settledOf(usage), pool })
  const said = output ?? partialOutput
  const words = said === null ? '(It returned no text.)' : shortened(said, result, artifacts)
  return [headline(result), spent, '', words].join('\n')
}

/** A text that is too long is kept whole in a file of the parent, and the report says where. */
function shortened(text: string, result: Spawned, artifacts: Artifacts): string {
  if (text.length <= LONGEST_REPORT) return text
  const file = artifacts.create('subagent')
  file?.write(Buffer.from(text))
  file?.close()
  const place = file === null ? '' : `; the whole text is in ${file.path}`
  const isJoined = isGroup(result) && result.mode === 'parallel'
  const shown = (isJoined ? joinOutputsWithin(result.results, LONGEST_REPORT) : text).slice(0, LONGEST_REPORT)
  return `${shown}\n[cut: ${text.length - shown.length} more characters${place}]`
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
  return `${who}: ${status}. ${error ?? 'It did not complete.'} What it has so far follows; do what is missing yourself, or start it again.`
}

function settledOf(usage: Readonly<Record<Meter, MeterUsage>>): Readonly<Partial<Record<Meter, number>>> {
  return Object.fromEntries(Object.entries(usage).map(([meter, { settled }]) => [meter, settled]))
}
