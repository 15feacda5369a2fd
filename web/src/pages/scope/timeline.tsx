import type { Entry, Reservation } from '../../../../src/server/contract.ts'
import { Button } from '../../components/button.tsx'
import { Command } from '../../components/command.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Panel } from '../../components/panel.tsx'
import { Plain } from '../../components/plain.tsx'
import { useNow } from '../../components/use-now.ts'
import { durationText, moneyText } from '../../format/amount-text.ts'
import { shellWord } from '../../format/shell-word.ts'
import type { Place } from '../../router/route.ts'
import { setFilters } from '../../router/use-place.ts'
import { tickStepMs } from './time-ticks.ts'
import './timeline.css'
import { isShown, SHOWS, showOf } from './timeline-filter.ts'
import { type TimelineItem, timelineItems } from './timeline-items.ts'

const KINDS: Readonly<Record<TimelineItem['kind'], string>> = {
  model: 'Model call',
  tool: 'Tool call',
  closing: 'Closing call',
  wait: 'Wait',
  pause: 'Pause',
  hint: 'Hint',
  clamp: 'Clamp',
  limit: 'Limit',
  request: 'Request for more',
  note: 'Event',
}

// What has a colour of its own; the rest has words.
const LEGEND: readonly TimelineItem['kind'][] = ['model', 'tool', 'closing', 'wait', 'hint', 'clamp', 'limit']
const EVERY_MS = 1000
// A detail of this length has a line of its own.
const SHORT = 44
const MOST_LEVELS = 4

interface TimelineProps {
  /** `null` until they have come. */
  readonly entries: readonly Entry[] | null
  readonly open: readonly Reservation[]
  readonly id: string
  /** The path of the scope itself: what happened below it is named. */
  readonly path: string
  readonly place: Place
  readonly class: string
  readonly hasMore: boolean
  /** Loads more of what came before; `null` if no more can be loaded. */
  readonly onEarlier: (() => void) | null
}

/** What happened in a scope and below it: when, for how long, and what it cost. */
export function Timeline({ entries, open, id, path, place, class: look, hasMore, onEarlier }: TimelineProps) {
  const now = useNow(open.length > 0 ? EVERY_MS : undefined)
  const all = timelineItems(entries ?? [], open, now)
  const show = showOf(place)
  const items = all.filter((item) => isShown(item, show))
  const startMs = all[0]?.fromMs ?? 0
  const endMs = Math.max(startMs + 1, ...all.map(({ toMs }) => toMs))
  const calls = all.filter(({ kind }) => kind === 'model' || kind === 'tool' || kind === 'closing').length
  return (
    <Panel
      title="Timeline"
      count={`${calls} ${calls === 1 ? 'call' : 'calls'}`}
      class={look}
      tools={
        <select
          class="input"
          aria-label="Show"
          value={show}
          onChange={(event) => setFilters(place, { show: event.currentTarget.value.replace(/^all$/, '') })}
        >
          {Object.entries(SHOWS).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      }
    >
      {entries !== null && all.length === 0 && (
        <EmptyState title="Nothing has happened yet">Each call, wait and limit appears here as it happens.</EmptyState>
      )}
      {all.length > 0 && items.length === 0 && <EmptyState title="Nothing of this kind has happened" />}
      {hasMore && (
        <div class="earlier">
          {onEarlier === null ? (
            <>
              <span class="soft">These are the latest. All of it:</span>{' '}
              <Command text={`npx stint log ${shellWord(id)}`} />
            </>
          ) : (
            <Button look="quiet small" onClick={onEarlier}>
              Show what came before
            </Button>
          )}
        </div>
      )}
      {items.length > 0 && <Axis wholeMs={endMs - startMs} kinds={kindsOf(items)} />}
      <ol class="timeline" style={{ '--tick': percent(tickStepMs(endMs - startMs), endMs - startMs) }}>
        {items.map((item, index) => (
          <Line
            key={item.key}
            item={item}
            path={path}
            isNewScope={items[index - 1]?.scopePath !== item.scopePath}
            startMs={startMs}
            wholeMs={endMs - startMs}
          />
        ))}
      </ol>
    </Panel>
  )
}

/** What the marks mean, each that is shown once. */
function kindsOf(items: readonly TimelineItem[]): readonly TimelineItem['kind'][] {
  const shown = new Set(items.map(({ kind }) => kind))
  return LEGEND.filter((kind) => shown.has(kind))
}

/** What the colours mean, and how far along each part of the bars is. */
function Axis({ wholeMs, kinds }: { readonly wholeMs: number; readonly kinds: readonly TimelineItem['kind'][] }) {
  const stepMs = tickStepMs(wholeMs)
  const ticks = Array.from({ length: Math.floor(wholeMs / stepMs) + 1 }, (_, index) => index * stepMs)
  return (
    <div class="axis" aria-hidden="true">
      <ul class="kinds">
        {kinds.map((kind) => (
          <li key={kind} class={kind}>
            <span class="mark" />
            {KINDS[kind]}
          </li>
        ))}
      </ul>
      <span class="ticks">
        {ticks.map((tick) => (
          <span key={tick} style={{ left: percent(tick, wholeMs) }}>
            {tick === 0 ? '0' : durationText(tick)}
          </span>
        ))}
      </span>
      <span class="number took">Time</span>
      <span class="number">Cost</span>
    </div>
  )
}

interface LineProps {
  readonly item: TimelineItem
  readonly path: string
  /** Whether the line before is about another scope. */
  readonly isNewScope: boolean
  readonly startMs: number
  readonly wholeMs: number
}

function Line({ item, path, isNewScope, startMs, wholeMs }: LineProps) {
  const { kind, title, detail, scopePath, fromMs, toMs, isOpen = false } = item
  const below = scopePath.startsWith(`${path}/`) ? scopePath.slice(path.length + 1) : null
  const level = below === null ? 0 : Math.min(MOST_LEVELS, below.split('/').length)
  const isLong = detail.length > SHORT
  return (
    <li class={`${kind}${isOpen ? ' open' : ''}`}>
      <time dateTime={new Date(fromMs).toISOString()}>+{durationText(fromMs - startMs)}</time>
      <span class="mark" role="img" aria-label={KINDS[kind]} title={KINDS[kind]} />
      <span class="what" style={{ '--level': String(level) }}>
        <b>
          <Plain text={title} />
        </b>
        {detail !== '' && !isLong && (
          <small>
            <Plain text={detail} />
          </small>
        )}
        {scopePath !== path && isNewScope && (
          <small class="where">
            <Plain text={below ?? scopePath} />
          </small>
        )}
      </span>
      <span class="track" title={durationText(toMs - fromMs)}>
        <span
          style={{
            left: `min(${percent(fromMs - startMs, wholeMs)}, calc(100% - 3px))`,
            width: percent(toMs - fromMs, wholeMs),
          }}
        />
      </span>
      <span class="number took">{toMs > fromMs ? durationText(toMs - fromMs) : ''}</span>
      <span class="number cost">{costOf(item)}</span>
      {isLong && (
        <small class="long" style={{ '--level': String(level) }}>
          <Plain text={detail} />
        </small>
      )}
    </li>
  )
}

function percent(milliseconds: number, wholeMs: number): string {
  return `${((milliseconds / wholeMs) * 100).toFixed(2)}%`
}

/** What it did cost; of a call in flight, the most that it can. */
function costOf({ costNanoUsd, isOpen = false }: TimelineItem) {
  if (costNanoUsd === null || costNanoUsd === 0) return ''
  return isOpen ? <span class="faint">≤ {moneyText(costNanoUsd)}</span> : moneyText(costNanoUsd)
}
