import { addToRate, createRate, mayRaiseAgain, totalOfRate } from '../../../core/index.ts'
import type { Watch } from '../state/ledger-state.ts'
import type { RatesOf } from './alert-book.ts'

/** Adds to a rate. Calls back, with the period's total, for each rule about it that must be raised. */
export function countRate<Rule extends { readonly name: string; readonly above: number }>(
  watch: Watch,
  { key, per, rules }: RatesOf<Rule>,
  amount: number,
  atMs: number,
  raise: (rule: Rule, total: number) => void,
): void {
  watch.rates[key] ??= createRate()
  const rate = watch.rates[key]
  addToRate(rate, amount, per, atMs)
  const total = totalOfRate(rate)
  for (const rule of rules) {
    if (total <= rule.above || !mayRaiseAgain(watch.raised[rule.name], per, atMs)) continue
    watch.raised[rule.name] = atMs
    raise(rule, total)
  }
}

/** Nothing counted yet. Without a prototype: a rule may have any name. */
export function createWatch(): Watch {
  return { rates: Object.create(null), raised: Object.create(null) }
}
