import type { Chain, ChainInput } from './chain.ts'
import { originInCode } from './chain-origin.ts'
import { InvalidChainError } from './invalid-chain-error.ts'
import { readChain } from './read-chain.ts'

/** Reads a chain passed in code, and checks every name in it. Throws `InvalidChainError`. */
export function parseChain(input: ChainInput, call = 'parseChain'): Chain {
  const reading = readChain(input, originInCode(call))
  if (reading.kind === 'chain') return reading.chain
  throw new InvalidChainError(reading.name ?? 'chain', reading.problems)
}
