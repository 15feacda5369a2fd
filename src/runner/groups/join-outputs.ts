import type { ChildResult } from './group-result.ts'

type Joined = Pick<ChildResult, 'agent' | 'status' | 'output' | 'partialOutput' | 'error' | 'artifacts'>

/** The outputs of several agents as one text, each below a header with its agent and how it ended. */
export function joinOutputs(results: readonly Joined[]): string {
  return results
    .map((result, index) => `=== Parallel Task ${index + 1} (${result.agent}) ===\n${bodyOf(result)}`)
    .join('\n\n')
}

function bodyOf(result: Joined): string {
  const text = (result.output ?? result.partialOutput ?? '').trim()
  const marker = markerOf(result, text !== '')
  if (marker === null) return text
  return text === '' ? marker : `${marker}\n${text}`
}

const MARKERS: Readonly<Record<Exclude<ChildResult['status'], 'completed'>, string>> = {
  failed: 'FAILED',
  'timed-out': 'TIMED OUT',
  'limit-reached': 'LIMIT REACHED',
  stopped: 'STOPPED',
  paused: 'PAUSED',
  queued: 'NOT STARTED',
}

/** The marker above an output that is not a plain answer. */
function markerOf({ status, error, artifacts }: Joined, hasText: boolean): string | null {
  if (status === 'completed') return hasText ? null : 'EMPTY OUTPUT (no textual response returned)'
  const word = artifacts === null && status === 'stopped' ? 'SKIPPED' : MARKERS[status]
  return error === null ? word : `${word}: ${error}`
}
