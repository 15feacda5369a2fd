import type { LimitSource } from '../core/limit-source.ts'
import { onlyTightens } from './only-tightens.ts'
import { type LimitEntry, type ParsedLimits, tagParsedLimits } from './parsed-limits.ts'

/** One thing that a layer says. */
export type LimitStatement =
  | { readonly kind: 'entry'; readonly entry: LimitEntry }
  | { readonly kind: 'onLimit' | 'nearing' | 'timeZone'; readonly value: unknown; readonly source: LimitSource }

/** Splits a layer into what is believed of it and what may only tighten; an empty part is left out. */
export function believedLimits(
  limits: ParsedLimits,
  isBelieved: (said: LimitStatement) => boolean,
): readonly ParsedLimits[] {
  const { entries, onLimit, nearing, timeZone } = limits
  const isEntryBelieved = new Map(entries.map((entry) => [entry, isBelieved({ kind: 'entry', entry })]))
  const split = <Said extends { readonly source: LimitSource }>(
    kind: 'onLimit' | 'nearing' | 'timeZone',
    said: Said | null,
    value: unknown,
  ): readonly [Said | null, Said | null] => {
    if (said === null) return [null, null]
    return isBelieved({ kind, value, source: said.source }) ? [said, null] : [null, said]
  }
  const actions = split('onLimit', onLimit, onLimit?.action)
  const thresholds = split('nearing', nearing, nearing?.thresholds)
  const zones = split('timeZone', timeZone, timeZone?.name)
  const part = (side: 0 | 1): ParsedLimits =>
    tagParsedLimits({
      ...limits,
      entries: entries.filter((entry) => isEntryBelieved.get(entry) === (side === 0)),
      onLimit: actions[side],
      nearing: thresholds[side],
      timeZone: zones[side],
    })
  const [believed, rest] = [part(0), part(1)]
  return [...(isEmpty(believed) ? [] : [believed]), ...(isEmpty(rest) ? [] : [onlyTightens(rest)])]
}

function isEmpty({ entries, onLimit, nearing, timeZone }: ParsedLimits): boolean {
  return entries.length === 0 && onLimit === null && nearing === null && timeZone === null
}
