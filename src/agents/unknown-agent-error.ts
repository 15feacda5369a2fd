import { StintError, showValue, suggestName } from '../core/index.ts'

// Enough to choose from.
const MOST_NAMES = 30

/** No agent has this name, or it is disabled. */
export class UnknownAgentError extends StintError<'unknown_agent'> {
  readonly agent: string
  /** The name that was probably meant. */
  readonly suggestion: string | null

  constructor(agent: string, names: readonly string[], disabledAt: string | null = null) {
    const suggestion = disabledAt === null ? suggestName(agent, names) : null
    super(
      'unknown_agent',
      disabledAt === null ? missingText(agent, names, suggestion) : disabledText(agent, disabledAt),
    )
    this.agent = agent
    this.suggestion = suggestion
  }
}

function missingText(agent: string, names: readonly string[], suggestion: string | null): string {
  const hint = suggestion === null ? '' : ` Did you mean ${JSON.stringify(suggestion)}?`
  const shown = names.slice(0, MOST_NAMES).join(', ')
  return `There is no agent ${showValue(agent)}.${hint} The agents are ${shown}${names.length > MOST_NAMES ? ', …' : ''}.`
}

function disabledText(agent: string, disabledAt: string): string {
  return `The agent ${showValue(agent)} is disabled by ${disabledAt}. Remove that to use it.`
}
