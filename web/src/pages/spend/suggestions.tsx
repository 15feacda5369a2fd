import type { Answer } from '../../../../src/server/contract.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { amountText } from '../../format/amount-text.ts'

type Suggestion = Answer<'GET /api/reports/suggestions'>['suggestions'][number]

// The limits that an agent has by default.
const SHOWN: readonly string[] = ['toolCalls', 'time', 'cost']

/** Limits that most successful runs of an agent type would have kept within, each with its evidence. */
export function Suggestions() {
  const { value, problem } = useAnswer('GET /api/reports/suggestions', {})
  const agents = byAgent(value?.suggestions ?? [])
  const known = agents.filter(([, limits]) => limits.some(({ suggested }) => suggested !== null))
  const unknown = agents.filter(([, limits]) => limits.every(({ suggested }) => suggested === null))
  return (
    <Panel title="Limits that would fit" class="half roomy">
      {problem !== null && <p class="body soft">{problem}</p>}
      {value !== null && known.length === 0 && (
        <EmptyState title="Too few runs to say" command="npx stint limits suggest">
          After 20 successful runs of an agent type, limits that nearly all of them would have kept within are suggested
          here. Nothing changes by itself.
        </EmptyState>
      )}
      <ul class="rows suggestions">
        {known.map(([agent, limits]) => (
          <AgentSuggestions key={agent} agent={agent} limits={limits} />
        ))}
      </ul>
      {known.length > 0 && unknown.length > 0 && (
        <p class="body faint">
          Too few runs to say, or too many were cut: <Plain text={unknown.map(([agent]) => agent).join(', ')} />
        </p>
      )}
    </Panel>
  )
}

function byAgent(suggestions: readonly Suggestion[]): readonly (readonly [string, readonly Suggestion[]])[] {
  const agents = new Map<string, Suggestion[]>()
  for (const suggestion of suggestions) {
    if (!SHOWN.includes(suggestion.meter)) continue
    agents.set(suggestion.agentType, [...(agents.get(suggestion.agentType) ?? []), suggestion])
  }
  return [...agents]
}

function AgentSuggestions({ agent, limits }: { readonly agent: string; readonly limits: readonly Suggestion[] }) {
  const { done = 0, cut = 0 } = limits[0] ?? {}
  return (
    <li>
      <div class="line">
        <b>
          <Plain text={agent} />
        </b>
        <span class="faint">
          {done} finished, {cut} were cut
        </span>
      </div>
      <dl>
        {limits.map(({ meter, unit, suggested, current, text }) => (
          <div key={meter}>
            <dt>{meter}</dt>
            <dd>
              <b>{suggested === null ? '–' : amountText(suggested, unit)}</b>
              {current !== null && <span class="faint"> now {amountText(current, unit)}</span>}
              <small>
                <Plain text={text} />
              </small>
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
