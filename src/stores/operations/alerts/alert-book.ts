import {
  type AlertPeriod,
  type AlertRule,
  assertAlertRules,
  COUNTER_METERS,
  counterIndex,
  DEFAULT_ALERTS,
  type EndsRule,
  type RateRule,
  type ShareRule,
} from '../../../core/index.ts'

/** The alert rules, indexed by subject, because every charge looks them up. */
export interface AlertBook {
  /** By the index of their counter. */
  readonly shares: readonly (readonly ShareRule[])[]
  readonly timeShares: readonly ShareRule[]
  readonly rates: readonly (RatesOf<RateRule> & { readonly index: number })[]
  readonly ends: readonly RatesOf<EndsRule>[]
}

/** The rules about one rate. */
export interface RatesOf<Rule> {
  readonly key: string
  readonly per: AlertPeriod
  readonly rules: readonly [Rule, ...Rule[]]
}

/** Throws `InvalidOptionError` for an invalid rule. `place` is the option that contains them. */
export function createAlertBook(place: string, rules: readonly AlertRule[] = DEFAULT_ALERTS): AlertBook {
  assertAlertRules(place, rules)
  const shares = rules.filter((rule) => 'share' in rule)
  const rates = rules.filter((rule): rule is RateRule => 'above' in rule && 'meter' in rule)
  const ends = rules.filter((rule) => 'ends' in rule)
  return {
    shares: COUNTER_METERS.map((meter) => shares.filter((rule) => rule.meter === meter)),
    timeShares: shares.filter(({ meter }) => meter === 'time'),
    rates: byKey(rates, ({ meter }) => meter).map((of) => ({ ...of, index: counterIndex(of.rules[0].meter) })),
    ends: byKey(ends, (rule) => rule.ends.toSorted().join('+')),
  }
}

function byKey<Rule extends RateRule | EndsRule>(
  rules: readonly Rule[],
  what: (rule: Rule) => string,
): RatesOf<Rule>[] {
  const found = new Map<string, RatesOf<Rule>>()
  for (const rule of rules) {
    const key = `${what(rule)}/${rule.per}`
    const known = found.get(key)
    found.set(key, { key, per: rule.per, rules: known === undefined ? [rule] : [...known.rules, rule] })
  }
  return [...found.values()]
}
