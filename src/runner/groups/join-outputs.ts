import type { ChildResult } from './group-result.ts'

type Joined = Pick<ChildResult, 'agent' | 'status' | 'output' | 'partialOutput' | 'error' | 'artifacts' | 'breach'>

// Hundreds of agents that one limit refuses would fill the prompt of the agent that reads their answers.
const MOST_ALIKE = 10

/**
 * The outputs of several agents as one text, each below a header with its agent and how it ended. More than ten in a
 * row that have no text for the same reason share one header.
 */
export function joinOutputs(results: readonly Joined[]): string {
  const rows = inRows(results)
  let number = 0
  return rows
    .map((row) => {
      const [first] = row
      const from = number + 1
      number += row.length
      const name = row.length === 1 ? `Parallel Task ${from}` : `Parallel Tasks ${from} to ${number}`
      return `=== ${name} (${first.agent}) ===\n${bodyOf(first)}`
    })
    .join('\n\n')
}

/**
 * The same in at most about `mostCharacters`: long texts are cut to the same length, so that each agent has its say and
 * short ones stay whole.
 */
export function joinOutputsWithin(results: readonly Joined[], mostCharacters: number): string {
  const lengths = results.map((result) => textOf(result).length)
  const withoutTexts = joinOutputs(results).length - lengths.reduce((sum, length) => sum + length, 0)
  const most = fairShare(lengths, Math.max(0, mostCharacters - withoutTexts))
  return joinOutputs(results.map((result) => cutTo(result, most)))
}

/** The length to which the longest must be cut so that all fit into `room` together. */
function fairShare(lengths: readonly number[], room: number): number {
  let left = room
  const sorted = lengths.toSorted((one, other) => one - other)
  for (const [index, length] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index))
    if (length > share) return share
    left -= length
  }
  return Number.POSITIVE_INFINITY
}

function cutTo(result: Joined, most: number): Joined {
  const text = textOf(result)
  if (text.length <= most) return result
  const cut = `${text.slice(0, most)}\n[cut: ${text.length - most} more characters]`
  return result.output === null ? { ...result, partialOutput: cut } : { ...result, output: cut }
}

type Row = readonly [Joined, ...Joined[]]

/** Each result by itself, except for long rows that are alike. */
function inRows(results: readonly Joined[]): readonly Row[] {
  const rows: [Joined, ...Joined[]][] = []
  for (const result of results) {
    const row = rows.at(-1)
    if (row !== undefined && isAlike(row[0], result)) row.push(result)
    else rows.push([result])
  }
  return rows.flatMap((row): readonly Row[] => (row.length > MOST_ALIKE ? [row] : row.map((each) => [each])))
}

/** Whether two have no text, and the same reason for it. Reasons of one limit differ in what was left at the time. */
function isAlike(left: Joined, right: Joined): boolean {
  if (textOf(left) !== '' || textOf(right) !== '' || left.agent !== right.agent || left.status !== right.status) {
    return false
  }
  if (left.breach === null || right.breach === null) return left.breach === right.breach && left.error === right.error
  return left.breach.key === right.breach.key
}

function textOf({ output, partialOutput }: Joined): string {
  return (output ?? partialOutput ?? '').trim()
}

function bodyOf(result: Joined): string {
  const text = textOf(result)
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
