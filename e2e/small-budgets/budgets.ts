/** Twelve budgets in USD from the least that fits to thirty times that, each as many times the one before. */
export function twelveBudgets(leastUsd: number, most = 30): readonly number[] {
  return Array.from({ length: 12 }, (_, place) => roundedUp(leastUsd * most ** (place / 11)))
}

/**
 * The figure after `--limit cost=` in what refusals say the least would be, the largest where there are several: a title
 * on the side needs less. `null`: none is named.
 */
export function leastIn(text: string): number | null {
  const figures = [...text.matchAll(/at least --limit cost=(\d+(?:\.\d+)?)/g)].map(([, figure]) => Number(figure))
  return figures.length === 0 ? null : Math.max(...figures)
}

// To four digits behind the point, as people write them; never below what is needed.
function roundedUp(usd: number): number {
  return Math.ceil(Number((usd * 10_000).toFixed(6))) / 10_000
}
