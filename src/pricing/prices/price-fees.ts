import type { PriceFees } from './model-price.ts'
import { FILE_SEARCH_NANO_USD } from './table-price.ts'

/** What a provider runs for a request and charges a fee for. */
export interface FeeCounts {
  readonly webSearches?: number | undefined
  readonly fileSearches?: number | undefined
}

export function fileSearchFee({ fileSearchNanoUsd = FILE_SEARCH_NANO_USD }: PriceFees): number {
  return fileSearchNanoUsd
}

/** All fees of one request. */
export function feesOf(fees: PriceFees, { webSearches = 0, fileSearches = 0 }: FeeCounts): number {
  const ofFiles = fileSearches === 0 ? 0 : fileSearches * fileSearchFee(fees)
  return fees.requestNanoUsd + webSearches * fees.webSearchNanoUsd + ofFiles
}
