import { StintError, showValue, suggestName } from '../../../core/index.ts'

// Enough to choose from.
const MOST_NAMES = 30

/** No chain has this name. */
export class UnknownChainError extends StintError<'unknown_chain'> {
  readonly chain: string
  /** The name that was probably meant. */
  readonly suggestion: string | null

  constructor(chain: string, names: readonly string[]) {
    const suggestion = suggestName(chain, names)
    const hint = suggestion === null ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`
    const shown = names.slice(0, MOST_NAMES).join(', ')
    const known =
      names.length === 0
        ? 'Put one into .stint/chains, e.g. .stint/chains/review.chain.yaml, or name a file.'
        : `The chains are ${shown}${names.length > MOST_NAMES ? ', …' : ''}.`
    super('unknown_chain', `There is no chain ${showValue(chain)}.${hint} ${known}`)
    this.chain = chain
    this.suggestion = suggestion
  }
}
