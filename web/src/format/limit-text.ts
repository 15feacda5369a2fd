import type { Unit } from './amount-text.ts'

const NANO = 1_000_000_000
const DURATIONS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
] as const

/** An amount as people write it in a limit, without losing anything: `1.5`, `200000`, `10m`. */
export function writtenAmount(amount: number, unit: Unit): string {
  if (unit === 'nanoUsd') return (amount / NANO).toFixed(9).replace(/\.?0+$/, '')
  if (unit !== 'milliseconds') return String(amount)
  const step = DURATIONS.find(([size]) => amount >= size && amount % size === 0)
  return step === undefined ? `${amount}ms` : `${amount / step[0]}${step[1]}`
}

const SIZES: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 }
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** What people type as an amount: `$1.50`, `200k`, `10m`; `null` if it is none, or not more than zero. */
export function readAmount(text: string, unit: Unit): number | null {
  const [, digits = '', letters = ''] = /^\$?\s*(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  if (digits === '') return null
  const size = sizeOf(letters.toLowerCase(), unit)
  const amount = size === undefined ? Number.NaN : Math.round(Number(digits) * size)
  return amount > 0 && Number.isSafeInteger(amount) ? amount : null
}

function sizeOf(letters: string, unit: Unit): number | undefined {
  if (unit === 'nanoUsd') return letters === '' ? NANO : undefined
  return unit === 'milliseconds' ? MILLISECONDS[letters] : SIZES[letters]
}
