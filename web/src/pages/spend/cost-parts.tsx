import { ShareBars } from '../../charts/share-bars.tsx'
import { Panel } from '../../components/panel.tsx'
import { useAnswer } from '../../data/use-answer.ts'
import { moneyText } from '../../format/amount-text.ts'
import { NothingSpent } from './nothing-spent.tsx'
import type { Span } from './span.ts'

const LABELS: Readonly<Record<string, string>> = {
  input: 'Fresh input',
  cacheRead: 'Cache reads',
  cacheWrite: 'Cache writes',
  output: 'Output',
  thinking: 'Thinking',
  fees: 'Searches',
  closing: 'Closing calls',
  assumed: 'Assumed',
  other: 'Not divided',
}
const COLORS = 7
const EVERY_MS = 30_000

/** What the money paid for: input, cache, output, thinking, closing calls. */
export function CostParts({ span: { sinceMs } }: { readonly span: Span }) {
  const { value, problem } = useAnswer('GET /api/reports/cost', { query: { sinceMs } }, EVERY_MS)
  const parts = value?.parts.filter(({ costNanoUsd }) => costNanoUsd > 0) ?? []
  return (
    <Panel title="Where the money went" class="half">
      <div class="body">
        {problem !== null && <p class="soft">{problem}</p>}
        {value !== null && parts.length === 0 && <NothingSpent />}
        {parts.length > 0 && (
          <ShareBars
            isWhole
            shares={parts.map(({ part, costNanoUsd }, index) => ({
              key: part,
              name: LABELS[part] ?? part,
              value: costNanoUsd,
              text: moneyText(costNanoUsd),
              color: `--series-${(index % COLORS) + 1}`,
            }))}
          />
        )}
      </div>
    </Panel>
  )
}
