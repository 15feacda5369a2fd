import { displayAmount, type ScopeReading } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { isLeft } from '../output/is-left.ts'
import { scopeJson } from '../output/scope-json.ts'
import { scopeMeters } from '../output/scope-meters.ts'
import { inTreeOrder } from '../output/scope-tree.ts'
import { shortIds } from '../output/short-id.ts'
import { statusText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'

/** Shows scopes as they change. */
export interface WatchView {
  show(scopes: readonly ScopeReading[]): void
  end(): void
}

interface WatchViewOptions {
  readonly isJson: boolean
  readonly isOnce: boolean
}

/** In place on a terminal; otherwise a line for each change, or a JSON document on one. */
export function createWatchView(context: CommandContext, { isJson, isOnce }: WatchViewOptions): WatchView {
  if (isJson) return createJsonView(context)
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

function treeText(context: CommandContext, scopes: readonly ScopeReading[]): string {
  const { paint, platform } = context
  if (scopes.length === 0) return 'No scope is open.'
  const idOf = shortIds(scopes)
  const rows = inTreeOrder(scopes).map(({ scope, branch }) => [
    `${paint.dim(branch)}${printable(scope.name)}`,
    printable(idOf(scope)),
    isLeft(scope, platform.isHolderAlive) ? paint.red('stale') : statusText(scope.status, paint),
    scopeMeters(scope),
    ageText(scope, platform.nowMs()),
  ])
  // The terminal may have another width by now.
  return formatTable(COLUMNS, rows, platform.isTerminal ? platform.screen().columns : undefined)
}

function createWholeView(context: CommandContext): WatchView {
  return {
    show: (scopes) => context.platform.writeOut(`${treeText(context, scopes)}\n`),
    end: () => {},
  }
}

const CURSOR = { hide: '\u001b[?25l', show: '\u001b[?25h' } as const
// A line that is too long is cut by the terminal, so that each is one row, whatever is in it.
const WRAP = { off: '\u001b[?7l', on: '\u001b[?7h' } as const
const CLEAR_BELOW = '\u001b[0J'

function createScreenView(context: CommandContext): WatchView {
  const { platform } = context
  let drawn = 0
  let isHidden = false
  return {
    show(scopes) {
      const most = Math.max(2, platform.screen().rows - 1)
      const lines = treeText(context, scopes).split('\n')
      const shown = lines.length > most ? [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more`] : lines
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
        const status = isLeft(scope, platform.isHolderAlive) ? 'stale' : statusText(scope.status, paint)
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
      const shown = scopes.map((scope) =>
        scopeJson(scope, scope.owner === null ? null : platform.isHolderAlive(scope.owner)),
      )
      const text = JSON.stringify(shown)
      if (text === before) return
      before = text
      platform.writeOut(`${JSON.stringify({ atMs: platform.nowMs(), scopes: shown })}\n`)
    },
    end: () => {},
  }
}

/** Nobody runs it, though it is to run. */
function ageText({ kind, openedAtMs, closedAtMs }: ScopeReading, nowMs: number): string {
  if (kind === 'lasting') return ''
  const ageMs = Math.max(0, (closedAtMs ?? nowMs) - openedAtMs)
  return displayAmount('time', ageMs, 'down')
}
