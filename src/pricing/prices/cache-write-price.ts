import { dearestPrice, mapPrice, type TieredPrice } from './tiered-price.ts'

/** The short lifetime if no list states it: 1.25 times the input, as at Anthropic, and at OpenAI since GPT-5.6. */
export function shortCacheWrite(input: TieredPrice): TieredPrice {
  return mapPrice(input, (picoUsd) => Math.ceil((picoUsd * 5) / 4))
}

/** The long lifetime costs 2 times the input at Anthropic and 2.5 times at OpenAI, the highest published factor. */
export function longCacheWrite(input: TieredPrice, cacheWrite: TieredPrice, isClaude: boolean): TieredPrice {
  const halves = isClaude ? 4 : 5
  return dearestPrice(
    mapPrice(input, (picoUsd) => Math.ceil((picoUsd * halves) / 2)),
    cacheWrite,
  )
}
