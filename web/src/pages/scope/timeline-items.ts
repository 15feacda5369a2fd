import type { Entry, Reservation } from '../../../../src/server/contract.ts'
import { amountText, durationText, shortCount } from '../../format/amount-text.ts'
import { fieldOf } from '../../format/field-of.ts'

export type TimelineKind =
  | 'model'
  | 'tool'
  | 'closing'
  | 'wait'
  | 'pause'
  | 'hint'
  | 'clamp'
  | 'limit'
  | 'request'
  | 'note'

/** One line of a run's timeline. */
export interface TimelineItem {
  readonly key: string
  readonly kind: TimelineKind
  readonly title: string
  readonly detail: string
  readonly scopePath: string
  readonly fromMs: number
  readonly toMs: number
  /** `null` for what cannot cost anything. */
  readonly costNanoUsd: number | null
  /** A call in flight: its cost is the most that it can come to. */
  readonly isOpen?: boolean
}

type Words = Pick<TimelineItem, 'kind' | 'title' | 'detail'>

/** The lines of a timeline, in the order in which they began, with the calls that are in flight. */
export function timelineItems(
  entries: readonly Entry[],
  open: readonly Reservation[] = [],
  nowMs = 0,
): readonly TimelineItem[] {
  const closing = new Set(
    entries.filter(({ event }) => event === 'wrap_up_started').map((entry) => text(entry, 'reservation')),
  )
  const items = [...entries.flatMap((entry) => itemsOf(entry, closing)), ...open.map((call) => openItem(call, nowMs))]
  return withoutRepeats(items.sort((left, right) => left.fromMs - right.fromMs))
}

function itemsOf(entry: Entry, closing: ReadonlySet<string>): readonly TimelineItem[] {
  const words = wordsOf(entry, closing)
  if (words === null) return []
  const { record, seq, scope_path: scopePath, event } = entry
  const toMs = record?.endedAtMs ?? Date.parse(entry.ts)
  const fromMs = record?.atMs ?? toMs - (event === 'agent_resumed' ? number(entry, 'paused_ms') : 0)
  const isCall = event === 'call_settled' || event === 'reservation_assumed'
  const costNanoUsd = isCall ? (record?.charged?.costNanoUsd ?? amountIn(entry, 'charged', 'cost')) : null
  const item = { key: `${seq} ${event}`, ...words, scopePath, fromMs, toMs, costNanoUsd }
  return isCall && record !== undefined ? [...besides(record, scopePath), item] : [item]
}

/** What came with a call: its wait, the hint that its prompt showed, and a lowered output cap that cut its answer. */
function besides({ id, about, atMs, units, result }: Reservation, scopePath: string): readonly TimelineItem[] {
  const { waitedMs = 0, hint = '', outputTokens = 0 } = about ?? {}
  const item = (kind: TimelineKind, title: string, detail: string, forMs = 0): TimelineItem => ({
    key: `${id} ${kind}`,
    kind,
    title,
    detail,
    scopePath,
    fromMs: atMs - forMs,
    toMs: atMs,
    costNanoUsd: null,
  })
  const isLowered = about?.isClosing !== true && units > 0 && units < outputTokens
  const isClamped = isLowered && (result?.usage?.outputTokens ?? 0) >= units
  return [
    ...(waitedMs > 0 ? [item('wait', 'Waited for budget', 'until calls in flight were settled', waitedMs)] : []),
    ...(hint === '' ? [] : [item('hint', 'Hint', hint)]),
    ...(isClamped
      ? [item('clamp', 'Clamped the answer', `${shortCount(units)} of ${shortCount(outputTokens)} output tokens`)]
      : []),
  ]
}

function openItem({ id, about, scopePath, atMs, reserved }: Reservation, nowMs: number): TimelineItem {
  const isModel = about?.call === 'model'
  return {
    key: `${id} open`,
    kind: about?.isClosing === true ? 'closing' : isModel ? 'model' : 'tool',
    title: about?.name ?? (isModel ? 'model call' : 'call'),
    detail: 'in flight',
    scopePath,
    fromMs: atMs,
    toMs: Math.max(atMs, nowMs),
    costNanoUsd: reserved.costNanoUsd ?? 0,
    isOpen: true,
  }
}

/** A pause that waits for the answer to a request has the same reason, which need not be read twice. */
function withoutRepeats(items: readonly TimelineItem[]): readonly TimelineItem[] {
  let asked = ''
  return items.map((item) => {
    if (item.kind === 'request') asked = item.detail
    const isRepeated = item.kind === 'pause' && item.detail !== '' && item.detail === asked
    return isRepeated ? { ...item, detail: 'until it is answered' } : item
  })
}

/** What an entry says; `null` for those that another one says too. */
function wordsOf(entry: Entry, closing: ReadonlySet<string>): Words | null {
  const limit = text(entry, 'limit_name')
  switch (entry.event) {
    case 'call_settled':
      return callWords(entry, closing)
    case 'reservation_assumed':
      return { ...callWords(entry, closing), detail: 'cut off: charged at its worst case' }
    case 'reservation_waiting':
      return { kind: 'wait', title: 'Waits for budget', detail: `${limit} has no room now` }
    case 'reservation_denied':
      return { kind: 'limit', title: 'Refused a call', detail: text(entry, 'error') || `${limit} is used up` }
    case 'call_clamped':
      return { kind: 'clamp', title: 'Clamped the answer', detail: clampText(entry) }
    case 'limit_nearing':
      return { kind: 'limit', title: `${percent(entry)} of ${limit}`, detail: text(entry, 'source') }
    case 'limit_exceeded':
      return { kind: 'limit', title: `Limit reached: ${limit}`, detail: text(entry, 'source') }
    case 'agent_warning':
      return { kind: 'limit', title: `Over ${limit}`, detail: 'the limit only warns' }
    case 'limit_raised':
      return { kind: 'note', title: 'Limit changed', detail: raisedText(entry) }
    case 'agent_paused':
      return { kind: 'pause', title: 'Paused', detail: text(entry, 'reason') }
    case 'agent_resumed':
      return {
        kind: 'pause',
        title: 'Resumed',
        detail: `after ${durationText(number(entry, 'paused_ms'))}${byText(entry)}`,
      }
    case 'wrap_up_started':
      return {
        kind: 'closing',
        title: 'Closing call',
        detail: `at most ${shortCount(number(entry, 'max_output_tokens'))} tokens`,
      }
    case 'spawn_refused':
      return { kind: 'limit', title: `Refused to start ${text(entry, 'child_name')}`, detail: limit }
    case 'increase_requested':
      return { kind: 'request', title: `Asked for more ${limit}`, detail: text(entry, 'reason') }
    case 'increase_granted':
      return { kind: 'request', title: `Granted more ${limit}`, detail: byText(entry).trim() }
    case 'increase_denied':
      return { kind: 'request', title: `Denied more ${limit}`, detail: `${text(entry, 'reason')}${byText(entry)}` }
    case 'increase_expired':
      return { kind: 'request', title: `No answer about ${limit}`, detail: 'the request expired' }
    case 'usage_anomaly':
      return { kind: 'note', title: 'Implausible usage', detail: `${text(entry, 'meter')} ${text(entry, 'value')}` }
    case 'alert_raised':
      return { kind: 'note', title: 'Alert', detail: text(entry, 'message') }
    case 'scope_opened':
      return { kind: 'note', title: 'Started', detail: startedText(entry) }
    case 'scope_closed':
      return { kind: 'note', title: `Ended: ${text(entry, 'status')}`, detail: text(entry, 'error') }
    case 'agent_failed':
    case 'agent_started':
    case 'agent_completed':
      return null
  }
}

function callWords(entry: Entry, closing: ReadonlySet<string>): Words {
  const isModel = text(entry, 'call') === 'model'
  const isClosing = entry.record?.about?.isClosing === true || closing.has(text(entry, 'reservation'))
  const kind = isClosing ? 'closing' : isModel ? 'model' : 'tool'
  const name = text(entry, 'call_name') || (isModel ? 'model call' : 'call')
  return { kind, title: isClosing ? `${name}, closing answer` : name, detail: callDetail(entry) }
}

function callDetail(entry: Entry): string {
  const { record } = entry
  if (fieldOf(entry, 'refused') === true) return 'refused by the provider, not charged'
  const ending = record?.result?.ending
  const tokens = record?.charged?.tokens ?? 0
  const { units = 0, about } = record ?? {}
  const isCapped = units > 0 && units < (about?.outputTokens ?? 0)
  const parts = [
    tokens > 0 ? `${shortCount(tokens)} tokens` : '',
    isCapped ? `at most ${shortCount(units)} out` : '',
    ending === undefined || ending === 'answered' ? '' : ending,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function clampText(entry: Entry): string {
  const granted = shortCount(number(entry, 'granted_output_tokens'))
  return `${granted} of ${shortCount(number(entry, 'asked_output_tokens'))} output tokens`
}

function raisedText(entry: Entry): string {
  const unit = text(entry, 'limit_kind').toLowerCase().includes('cost') ? 'nanoUsd' : 'count'
  const amount = (name: string): string =>
    fieldOf(entry, name) === null ? 'none' : amountText(number(entry, name), unit)
  return `${text(entry, 'limit_kind')}: ${amount('limit_before')} → ${amount('limit')}${byText(entry)}`
}

/** The name of what has started, unless its path, which is shown anyway, ends with it. */
function startedText({ agent_name: name, scope_path: path }: Entry): string {
  return path === name || path.endsWith(`/${name}`) ? '' : name
}

function percent(entry: Entry): string {
  return `${Math.round(number(entry, 'threshold') * 100)} %`
}

function byText(entry: Entry): string {
  const by = text(entry, 'by')
  return by === '' ? '' : ` by ${by}`
}

// The fields of each event are in docs/reference/events.md; what is missing is shown as nothing.
function text(entry: Entry, name: string): string {
  const value = fieldOf(entry, name)
  return typeof value === 'string' ? value : ''
}

function number(entry: Entry, name: string): number {
  const value = fieldOf(entry, name)
  return typeof value === 'number' ? value : 0
}

function amountIn(entry: Entry, name: string, meter: string): number {
  const amount = fieldOf(fieldOf(entry, name), meter)
  return typeof amount === 'number' ? amount : 0
}
