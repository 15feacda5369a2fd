import { formatMaximum } from '../../core/amounts/format-maximum.ts'
import type { Action } from '../../core/limits/action.ts'
import { describeSource, type LimitSource } from '../../core/limits/limit-source.ts'
import type { LimitProblem } from '../limits/invalid-limit-error.ts'
import { type LimitEntry, type ParsedLimits, tagParsedLimits } from './parsed-limits.ts'
import type { ProblemList } from './problem-list.ts'

/** Collects the entries of one layer. Duplicates count once; contradictions are refused. */
export interface LimitCollector {
  readonly problems: ProblemList
  addEntry(entry: LimitEntry): void
  setOnLimit(action: Action, source: LimitSource): void
  setNearing(thresholds: readonly number[], source: LimitSource): void
  setTimeZone(name: string, source: LimitSource): void
  /** Marks the whole layer as only tightening: an untrusted part must not gain from a trusted one. */
  onlyTighten(): void
  /** The collected layer. Throws if there was any problem. */
  finish(layer: ParsedLimits['layer']): ParsedLimits
}

export function createLimitCollector(problems: ProblemList): LimitCollector {
  const entries: LimitEntry[] = []
  const scope: { -readonly [Key in 'onLimit' | 'nearing' | 'timeZone']: ParsedLimits[Key] } = {
    onLimit: null,
    nearing: null,
    timeZone: null,
  }
  let onlyTightens = false
  return {
    problems,
    addEntry: (entry) => {
      const rivals = entries.filter((other) => isAboutTheSame(other, entry))
      if (rivals.length === 0) entries.push(entry)
      const rival = rivals.find((other) => !isEqual(other, entry))
      if (rival !== undefined)
        problems.add(contradiction(rival.source, show(rival), entry.source, show(entry), entry.meter))
    },
    setOnLimit: (action, source) => {
      const earlier = scope.onLimit
      if (earlier !== null && earlier.action !== action) {
        problems.add(contradiction(earlier.source, earlier.action, source, action, 'onLimit'))
      }
      scope.onLimit ??= { action, source }
    },
    setNearing: (thresholds, source) => {
      const earlier = scope.nearing
      if (earlier !== null && String(earlier.thresholds) !== String(thresholds)) {
        problems.add(contradiction(earlier.source, String(earlier.thresholds), source, String(thresholds), 'nearing'))
      }
      scope.nearing ??= { thresholds, source }
    },
    setTimeZone: (name, source) => {
      const earlier = scope.timeZone
      if (earlier !== null && earlier.name !== name) {
        problems.add(contradiction(earlier.source, earlier.name, source, name, 'timeZone'))
      }
      scope.timeZone ??= { name, source }
    },
    onlyTighten: () => {
      onlyTightens = true
    },
    finish: (layer) => {
      problems.throwIfAny()
      return tagParsedLimits({ layer, entries, ...scope, ...(onlyTightens ? { onlyTightens } : {}) })
    },
  }
}

// A removal covers every period of its meter.
function isAboutTheSame(left: LimitEntry, right: LimitEntry): boolean {
  if (left.meter !== right.meter) return false
  return left.kind === 'removal' || right.kind === 'removal' || left.per === right.per
}

function isEqual(left: LimitEntry, right: LimitEntry): boolean {
  if (left.kind === 'removal' || right.kind === 'removal') return left.kind === right.kind
  return (
    left.max === right.max &&
    left.action === right.action &&
    left.timeZone === right.timeZone &&
    String(left.nearing) === String(right.nearing)
  )
}

function show(entry: LimitEntry): string {
  if (entry.kind === 'removal') return 'unlimited'
  const period = entry.per === null ? '' : ` per ${entry.per}`
  const settings = [entry.action, entry.timeZone, entry.nearing && `nearing ${entry.nearing}`].filter(
    (part) => part !== null,
  )
  return [formatMaximum(entry.meter, entry.max) + period, ...settings].join(', ')
}

function contradiction(
  first: LimitSource,
  firstValue: string,
  second: LimitSource,
  secondValue: string,
  what: string,
): LimitProblem {
  const isOneName = first.written === second.written
  const subject = isOneName
    ? `${second.written} is written twice (see ${describeSource(first)})`
    : `${first.written} and ${second.written} are aliases (both set ${what})`
  return {
    place: describeSource(second),
    value: secondValue,
    message: `${subject}, with different values: ${firstValue} and ${secondValue}. Keep one, or give both the same value.`,
  }
}
