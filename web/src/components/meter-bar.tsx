import { amountText, type Unit } from '../format/amount-text.ts'
import './meter-bar.css'

/** The state of one limit, as the API has it everywhere. */
export interface MeterState {
  readonly unit: Unit
  readonly limit: number
  readonly settled: number
  readonly reserved: number
  readonly held: number
  readonly remaining: number
}

// From here on a bar is amber, where the ledger tells of it.
const NEAR = 0.8

/** How full a limit is: settled, reserved and held in one bar, and the same in words for a screen reader. */
export function MeterBar({ name, state }: { readonly name: string; readonly state: MeterState }) {
  const { limit, settled, reserved, held, remaining } = state
  const used = settled + reserved + held
  const whole = Math.max(limit, used, 1)
  const share = limit === 0 ? 1 : settled / limit
  const look = remaining <= 0 && settled >= limit ? ' over' : share >= NEAR ? ' near' : ''
  return (
    <div
      role="meter"
      class={`meter${look}`}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={whole}
      aria-valuenow={used}
      aria-valuetext={meterWords(state)}
    >
      <Part name="settled" amount={settled} whole={whole} />
      <Part name="reserved" amount={reserved} whole={whole} />
      <Part name="held" amount={held} whole={whole} />
      <span style={{ flexGrow: String(Math.max(0, whole - used) / whole) }} />
    </div>
  )
}

function Part({ name, amount, whole }: { readonly name: string; readonly amount: number; readonly whole: number }) {
  return <span class={name} style={{ flexGrow: String(amount / whole) }} />
}

/** `$3.20 settled, $0.40 reserved, $0.10 held, $16.30 remaining of $20.00` */
function meterWords({ unit, limit, settled, reserved, held, remaining }: MeterState): string {
  const text = (amount: number): string => amountText(amount, unit)
  return `${text(settled)} settled, ${text(reserved)} reserved, ${text(held)} held, ${text(remaining)} remaining of ${text(limit)}`
}

/** The same next to a bar: what is left above it, and the parts below. What is zero is left out. */
export function MeterLeft({ state: { unit, limit, remaining } }: { readonly state: MeterState }) {
  return (
    <span class="meter-words" aria-hidden="true">
      <span>
        <b>{amountText(remaining, unit)}</b> remaining of {amountText(limit, unit)}
      </span>
    </span>
  )
}

export function MeterParts({ state: { unit, settled, reserved, held } }: { readonly state: MeterState }) {
  return (
    <span class="meter-words" aria-hidden="true">
      <span>
        <b>{amountText(settled, unit)}</b> settled
      </span>
      {reserved > 0 && <span>{amountText(reserved, unit)} reserved</span>}
      {held > 0 && <span>{amountText(held, unit)} held</span>}
    </span>
  )
}

const LEGEND = [
  ['settled', 'Settled: spent for good'],
  ['reserved', 'Reserved: the most that calls in flight can cost'],
  ['held', 'Held: kept for the closing answer'],
  ['remaining', 'Remaining'],
] as const

/** What the colours of the bars mean. */
export function MeterLegend() {
  return (
    <ul class="legend">
      {LEGEND.map(([part, meaning]) => (
        <li key={part} title={meaning}>
          <span class="meter">
            <span class={part} />
          </span>
          {part}
        </li>
      ))}
    </ul>
  )
}
