import { printable } from '../../core/checks/printable.ts'
import { displayAmount, type ScopeReading } from '../../core/index.ts'
import type { ScopeDetails } from '../../operate/scopes/scope-details.ts'
import { inTreeOrder } from '../../operate/scopes/scope-tree.ts'
import { scopeView } from '../../operate/views/scope-view.ts'
import type { CommandContext } from '../command-context.ts'
import { scopeMeters } from '../output/scope-meters.ts'
import { shortIds } from '../output/short-id.ts'
import { statusText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'
import { nameOrWhatRan } from '../output/what-ran.ts'

/** Shows scopes as they change. */
export interface WatchView {
  show(scopes: readonly ScopeDetails[]): void
  end(): void
}

/** Redraws on a terminal; otherwise prints a line for each change, as text or JSON. */
export function createWatchView(context: CommandContext, isOnce: boolean): WatchView {
  if (context.isJson) return createJsonView(context)
  if (isOnce) return createWholeView(context)
  return context.platform.isTerminal ? createScreenView(context) : createLineView(context)
}

const COLUMNS = [
  { heading: 'SCOPE', shrinksTo: 12 },
  { heading: 'ID', dropOrder: 1 },
  'STATUS',
  'USED',
  { heading: 'FOR', dropOrder: 2 },
] as const

/** The first of the scopes, as many as fit. */
function treeText(context: CommandContext, scopes: readonly ScopeDetails[], most = scopes.length): string {
  const { paint, platform } = context
  if (scopes.length === 0) return 'No scope is open.'
  const idOf = shortIds(scopes)
  const visible = inTreeOrder(scopes).slice(0, most)
  const rows = visible.map(({ scope, branch }) => [
    `${paint.dim(branch)}${printable(nameOrWhatRan(scope))}`,
    printable(idOf(scope)),
    statusText(scope, paint),
    scopeMeters(scope),
    ageText(scope, platform.nowMs()),
  ])
  // The terminal may have been resized.
  return formatTable(COLUMNS, rows, platform.isTerminal ? platform.screen().columns : undefined)
}

function createWholeView(context: CommandContext): WatchView {
  return {
    show: (scopes) => context.platform.writeOut(`${treeText(context, scopes)}\n`),
    end: () => {},
  }
}

const CURSOR = { hide: '\u001b[?25l', show: '\u001b[?25h' } as const
// The terminal cuts lines that are too long, so each takes one row.
const WRAP = { off: '\u001b[?7l', on: '\u001b[?7h' } as const
const CLEAR_BELOW = '\u001b[0J'

function createScreenView(context: CommandContext): WatchView {
  const { platform } = context
  let drawn = 0
  let isHidden = false
  return {
    show(scopes) {
      const most = Math.max(2, platform.screen().rows - 1)
      // One line for the heading, and one for what is left out.
      const visible = scopes.length < most ? scopes.length : most - 2
      const lines = treeText(context, scopes, visible).split('\n')
      const shown = visible < scopes.length ? [...lines, `… ${scopes.length - visible} more`] : lines
      const up = drawn === 0 ? '' : `\u001b[${drawn}A`
      platform.writeOut(`${isHidden ? '' : CURSOR.hide}${up}\r${CLEAR_BELOW}${WRAP.off}${shown.join('\n')}\n${WRAP.on}`)
      isHidden = true
      drawn = shown.length
    },
    end() {
      if (isHidden) platform.writeOut(CURSOR.show)
    },
  }
}

function createLineView(context: CommandContext): WatchView {
  const { platform, paint } = context
  let before: ReadonlyMap<string, string> = new Map()
  return {
    show(scopes) {
      const now = new Map<string, string>()
      for (const { scope } of inTreeOrder(scopes)) {
        const status = statusText(scope, paint)
        const meters = scopeMeters(scope).join(', ')
        const line = `${printable(scope.path)} ${status}${meters === '' ? '' : ` · ${meters}`}`
        now.set(scope.id, line)
        if (before.get(scope.id) !== line) platform.writeOut(`${line}\n`)
      }
      if (scopes.length === 0 && before.size === 0) platform.writeOut('No scope is open.\n')
      before = now
    },
    end: () => {},
  }
}

function createJsonView({ platform }: CommandContext): WatchView {
  let before = ''
  return {
    show(scopes) {
      const shown = scopes.map(scopeView)
      const text = JSON.stringify(shown)
      if (text === before) return
      before = text
      platform.writeOut(`${JSON.stringify({ atMs: platform.nowMs(), scopes: shown })}\n`)
    },
    end: () => {},
  }
}

function ageText({ kind, openedAtMs, closedAtMs }: ScopeReading, nowMs: number): string {
  if (kind === 'lasting') return ''
  const ageMs = Math.max(0, (closedAtMs ?? nowMs) - openedAtMs)
  return displayAmount('time', ageMs, 'down')
}
