import type { LimitSource } from '../../core/limits/limit-source.ts'
import { type LimitEntry, type ParsedLimits, tagParsedLimits } from '../formats/parsed-limits.ts'
import { onlyTightens } from './only-tightens.ts'

/** One entry or setting of a layer. */
export type LimitStatement =
  | { readonly kind: 'entry'; readonly entry: LimitEntry }
  | { readonly kind: 'onLimit' | 'nearing' | 'timeZone'; readonly value: unknown; readonly source: LimitSource }

/** Splits a layer into its trusted part and a part that may only tighten. Empty parts are left out. */
export function splitByTrust(
  limits: ParsedLimits,
  isTrusted: (statement: LimitStatement) => boolean,
): readonly ParsedLimits[] {
  const { entries, onLimit, nearing, timeZone } = limits
  const isEntryTrusted = new Map(entries.map((entry) => [entry, isTrusted({ kind: 'entry', entry })]))
  const split = <Setting extends { readonly source: LimitSource }>(
    kind: 'onLimit' | 'nearing' | 'timeZone',
    setting: Setting | null,
    value: unknown,
  ): readonly [Setting | null, Setting | null] => {
    if (setting === null) return [null, null]
    return isTrusted({ kind, value, source: setting.source }) ? [setting, null] : [null, setting]
  }
  const actions = split('onLimit', onLimit, onLimit?.action)
  const thresholds = split('nearing', nearing, nearing?.thresholds)
  const zones = split('timeZone', timeZone, timeZone?.name)
  const part = (side: 0 | 1): ParsedLimits =>
    tagParsedLimits({
      ...limits,
      entries: entries.filter((entry) => isEntryTrusted.get(entry) === (side === 0)),
      onLimit: actions[side],
      nearing: thresholds[side],
      timeZone: zones[side],
    })
  const [trusted, rest] = [part(0), part(1)]
  return [...(isEmpty(trusted) ? [] : [trusted]), ...(isEmpty(rest) ? [] : [onlyTightens(rest)])]
}

function isEmpty({ entries, onLimit, nearing, timeZone }: ParsedLimits): boolean {
  return entries.length === 0 && onLimit === null && nearing === null && timeZone === null
}
