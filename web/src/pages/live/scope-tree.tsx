import { useMemo, useRef, useState } from 'preact/hooks'
import { Command } from '../../components/command.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { MeterLegend } from '../../components/meter-bar.tsx'
import { Panel } from '../../components/panel.tsx'
import { useMedia } from '../../components/use-media.ts'
import { VirtualRows } from '../../components/virtual-rows.tsx'
import type { Live } from '../../data/live.ts'
import { useStore } from '../../data/use-store.ts'
import { hrefOf, type Place } from '../../router/route.ts'
import { useCan } from '../../session/can.ts'
import { ScopeRow } from './scope-row.tsx'
import './scope-tree.css'
import { TreeFilters } from './tree-filters.tsx'
import { type RowFilter, visibleRows } from './visible-rows.ts'

const HEAD = [
  { title: 'Scope', look: 'name' },
  { title: 'Status', look: 'status' },
  { title: 'Tightest limit', look: 'limit' },
  { title: 'Spent', look: 'spent number' },
]
// As in the style sheet, in pixels at a type size of 16.
const ROW_HEIGHT = 68
const NARROW_ROW_HEIGHT = 108

/** Every scope with its state, as a tree that the arrow keys walk. */
export function ScopeTree({ live, place }: { readonly live: Live; readonly place: Place }) {
  const change = useStore(live.changes)
  const isTruncated = useStore(live.isTruncated)
  const isNarrow = useMedia('(max-width: 800px)')
  const canSteer = useCan('operator')
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const { tree } = live
  const filter = filterOf(place)
  const { find, status, withEnded } = filter
  // A change of what a row shows leaves the rows as they are; a filter by status looks at it.
  const version = status === '' ? tree.structure : change
  // The tree is one object that changes with its version.
  const rows = useMemo(
    () => visibleRows(tree, closed, { find, status, withEnded }),
    [version, closed, find, status, withEnded],
  )
  const currentId = rows.some(({ id }) => id === current) ? current : (rows[0]?.id ?? null)

  const twist = (id: string, isOpen: boolean): void => {
    const next = new Set(closed)
    if (isOpen) next.delete(id)
    else next.add(id)
    setClosed(next)
  }
  const focus = (index: number): void => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)]
    if (row === undefined) return
    setCurrent(row.id)
    requestAnimationFrame(() => {
      const element = grid.current?.querySelector<HTMLElement>(`[data-scope="${CSS.escape(row.id)}"]`)
      element?.focus()
      element?.scrollIntoView({ block: 'nearest' })
    })
  }
  const press = (event: KeyboardEvent): void => {
    const index = rows.findIndex(({ id }) => id === currentId)
    const row = rows[index]
    if (row === undefined || !(event.target instanceof HTMLElement) || event.target.role !== 'row') return
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => focus(index + 1),
      ArrowUp: () => focus(index - 1),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () => (row.hasChildren && !row.isOpen ? twist(row.id, true) : focus(index + 1)),
      ArrowLeft: () => (row.hasChildren && row.isOpen ? twist(row.id, false) : focus(parentIndex(rows, index))),
      Enter: () => event.target instanceof HTMLElement && event.target.querySelector('a')?.click(),
    }
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }

  return (
    <Panel title="Scopes" count={rows.length} tools={<TreeFilters place={place} />}>
      {rows.length === 0 ? (
        <NoRows isNarrow={find !== '' || status !== ''} place={place} ended={tree.scopes.size} />
      ) : (
        <div
          ref={grid}
          role="treegrid"
          class="tree"
          aria-label="Scopes"
          aria-rowcount={rows.length + 1}
          tabIndex={-1}
          onKeyDown={press}
        >
          <div role="row" class="head" aria-rowindex={1} tabIndex={-1}>
            {HEAD.map(({ title, look }) => (
              <span key={title} role="columnheader" tabIndex={-1} class={look}>
                {title}
              </span>
            ))}
            <span role="columnheader" tabIndex={-1}>
              <span class="unseen">Actions</span>
            </span>
          </div>
          <VirtualRows
            count={rows.length}
            rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
            row={(index) => {
              const row = rows[index]
              const scope = row === undefined ? undefined : tree.scopes.get(row.id)
              if (row === undefined || scope === undefined) return null
              return (
                <ScopeRow
                  key={row.id}
                  scope={scope}
                  place={row}
                  index={index + 1}
                  isCurrent={row.id === currentId}
                  canSteer={canSteer}
                  onTwist={() => twist(row.id, !row.isOpen)}
                  onFocus={() => setCurrent(row.id)}
                />
              )
            }}
          />
        </div>
      )}
      {rows.length > 0 && (
        <div class="tree-foot">
          <MeterLegend />
        </div>
      )}
      {isTruncated && (
        <div class="tree-foot" role="note">
          <span class="soft">There are more scopes than fit on this page. All of them:</span>
          <Command text="npx stint status --all" />
        </div>
      )}
    </Panel>
  )
}

function filterOf({ filters }: Place): RowFilter {
  const { find = '', status = '', ended = '' } = filters
  return { find: find.trim().toLowerCase(), status, withEnded: ended === 'yes' }
}

function parentIndex(rows: readonly { readonly level: number }[], index: number): number {
  const level = rows[index]?.level ?? 0
  return level === 0 ? index : rows.findLastIndex((row, at) => at < index && row.level < level)
}

interface NoRowsProps {
  /** Whether something is looked for. */
  readonly isNarrow: boolean
  readonly place: Place
  /** How many scopes have ended in the last hour. */
  readonly ended: number
}

function NoRows({ isNarrow, place, ended }: NoRowsProps) {
  if (isNarrow) return <EmptyState title="Nothing matches the filters">Change them to see other scopes.</EmptyState>
  return (
    <EmptyState title="Nothing is running" command='npx stint exec --limit cost=1 -- claude -p "fix the tests"'>
      Run an agent under a limit, and it appears here while it works. A lasting budget for a team shows up too, once it
      is set with <code>stint budget set team:core --limit cost=100/day</code>.
      {ended > 0 && (
        <>
          {' '}
          <a class="link" href={hrefOf(place.route, { ...place.filters, ended: 'yes' })}>
            Show what ended in the last hour
          </a>
        </>
      )}
    </EmptyState>
  )
}
