import type { Answer } from '../../../../src/server/contract.ts'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { durationText, moneyText } from '../../format/amount-text.ts'
import type { Span } from './span.ts'

const EVERY_MS = 30_000

type Averages = Answer<'GET /api/reports/agents'>['agents'][number]

/** What an agent of each type needs on average. */
export function AgentAverages({ span: { sinceMs } }: { readonly span: Span }) {
  const { value, problem } = useAnswer('GET /api/reports/agents', { query: { sinceMs } }, EVERY_MS)
  return (
    <Panel title="Averages per agent type" class="half roomy">
      <div class="body">
        {problem !== null && <p class="soft">{problem}</p>}
        {value?.agents.length === 0 ? (
          <EmptyState title="No agent has ended in this time" command='npx stint run developer "add a --json flag"'>
            Turns, time and cost of ended runs are averaged here by the type of agent.
          </EmptyState>
        ) : (
          <DataTable
            caption="Averages per agent type"
            isStacked
            keyOf={({ agentType }) => agentType ?? ''}
            rows={value?.agents ?? []}
            columns={[
              { title: 'Agent', cell: ({ agentType }) => <Plain text={agentType ?? 'no type'} /> },
              { title: 'Runs', isNumber: true, cell: ({ runs }) => runs },
              { title: 'At a limit', isNumber: true, cell: cutShare },
              { title: 'Turns', isNumber: true, cell: ({ averageTurns }) => averageTurns.toFixed(1) },
              { title: 'Time', isNumber: true, cell: ({ averageActiveMs }) => durationText(averageActiveMs) },
              {
                title: 'Cost',
                isNumber: true,
                cell: ({ averageCostNanoUsd }) => moneyText(Math.round(averageCostNanoUsd)),
              },
              { title: 'Total', isNumber: true, cell: ({ totalCostNanoUsd }) => moneyText(totalCostNanoUsd) },
            ]}
          />
        )}
      </div>
    </Panel>
  )
}

function cutShare({ statuses, runs }: Averages): string {
  const cut = (statuses['limit-reached'] ?? 0) + (statuses['timed-out'] ?? 0)
  return `${Math.round((cut / Math.max(1, runs)) * 100)} %`
}
