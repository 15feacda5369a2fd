import type { Entry } from '../../../../src/server/contract.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import { durationText, moneyText } from '../../format/amount-text.ts'
import './timeline.css'
import { type TimelineItem, timelineItems } from './timeline-items.ts'

const KINDS: Readonly<Record<TimelineItem['kind'], string>> = {
  model: 'Model call',
  tool: 'Tool call',
  closing: 'Closing call',
  wait: 'Wait',
  pause: 'Pause',
  clamp: 'Clamp',
  limit: 'Limit',
  request: 'Request for more',
  note: 'Event',
}

interface TimelineProps {
  readonly entries: readonly Entry[]
  /** The path of the scope itself: what happened below it is named. */
  readonly path: string
  readonly hasMore: boolean
}

/** What happened in a scope and below it: when, for how long, and what it cost. */
export function Timeline({ entries, path, hasMore }: TimelineProps) {
  const items = timelineItems(entries)
  const startMs = items[0]?.fromMs ?? 0
  const endMs = Math.max(startMs + 1, ...items.map(({ toMs }) => toMs))
  const calls = items.filter(({ costNanoUsd }) => costNanoUsd !== null).length
  return (
    <Panel title="Timeline" count={calls} tools={<span class="faint">{hasMore ? 'the latest' : 'calls'}</span>}>
      {items.length === 0 && (
        <EmptyState title="Nothing has happened yet">Each call, wait and limit appears here as it happens.</EmptyState>
      )}
      <ol class="timeline">
        {items.map((item) => (
          <Line key={item.key} item={item} path={path} startMs={startMs} wholeMs={endMs - startMs} />
        ))}
      </ol>
    </Panel>
  )
}

interface LineProps {
  readonly item: TimelineItem
  readonly path: string
  readonly startMs: number
  readonly wholeMs: number
}

function Line({ item, path, startMs, wholeMs }: LineProps) {
  const { kind, title, detail, scopePath, fromMs, toMs, costNanoUsd } = item
  const percent = (milliseconds: number): string => `${((milliseconds / wholeMs) * 100).toFixed(2)}%`
  return (
    <li class={kind}>
      <time dateTime={new Date(fromMs).toISOString()}>+{durationText(fromMs - startMs)}</time>
      <span class="mark" role="img" aria-label={KINDS[kind]} title={KINDS[kind]} />
      <span class="what">
        <b>
          <Plain text={title} />
        </b>
        {detail !== '' && (
          <small>
            <Plain text={detail} />
          </small>
        )}
        {scopePath !== path && (
          <small>
            in <Plain text={scopePath.startsWith(`${path}/`) ? scopePath.slice(path.length + 1) : scopePath} />
          </small>
        )}
      </span>
      <span class="track" title={durationText(toMs - fromMs)}>
        <span style={{ left: `min(${percent(fromMs - startMs)}, calc(100% - 3px))`, width: percent(toMs - fromMs) }} />
      </span>
      <span class="number">
        {costNanoUsd === null || costNanoUsd === 0 ? (
          <span class="faint">{durationTextOf(item)}</span>
        ) : (
          moneyText(costNanoUsd)
        )}
      </span>
    </li>
  )
}

/** What costs nothing shows how long it took. */
function durationTextOf({ fromMs, toMs }: TimelineItem): string {
  return toMs > fromMs ? durationText(toMs - fromMs) : ''
}
