import type { ProviderBook } from '../../src/testing/provider/index.ts'

interface Contender {
  readonly limit: string
  readonly book: Pick<ProviderBook, 'requests' | 'costNanoUsd'>
  /** What the program printed. */
  readonly answer: string
}

/** Prints what the provider counted, side by side. */
export function showComparison(title: string, contenders: readonly Contender[]): void {
  const rows = contenders.map(({ limit, book, answer }) => {
    const cost = `$${(book.costNanoUsd / 1_000_000_000).toFixed(4)}`
    const said = answer.trim().split('\n').at(-1) || 'nothing'
    return `  ${limit}\n    ${book.requests} model calls, ${cost}; it printed: ${said}`
  })
  console.log(`${title}\n${rows.join('\n')}`)
}
