import { displayAmount } from '../../../core/index.ts'
import type { Timeline } from '../spend-report.ts'
import { escaped } from './markup.ts'

const WIDTH = 860
const HEIGHT = 220
const LEFT = 56
const BOTTOM = 26
const MOST_LABELS = 9

/** The colour of a key: darker for what costs more, grey for the others together. */
export function keyClass(key: string | null, place: number): string {
  return key === null ? 'k6' : `k${place}`
}

/** Spending over time as stacked columns. */
export function timelineChart({ times, costs, step }: Timeline, title: string): string {
  const totals = times.map((_, place) => costs.reduce((sum, line) => sum + line.costs[place]!, 0))
  const highest = ceilingOf(Math.max(1, ...totals))
  const plotHeight = HEIGHT - BOTTOM - 8
  const slot = (WIDTH - LEFT) / Math.max(1, times.length)
  const width = Math.max(1, Math.min(56, slot * 0.78))
  const columns = times.map((time, place) => {
    let bottom = HEIGHT - BOTTOM
    const x = LEFT + place * slot + (slot - width) / 2
    const parts = costs.map(({ key, costs: line }, colour) => {
      const height = (line[place]! / highest) * plotHeight
      if (height === 0) return ''
      bottom -= height
      return `<rect class="${keyClass(key, colour)}" x="${round(x)}" y="${round(bottom)}" width="${round(width)}" height="${round(height)}"/>`
    })
    return `<g><title>${escaped(time)}: ${displayAmount('cost', totals[place]!)}</title>${parts.join('')}</g>`
  })
  const rules = [0, 0.5, 1].map((share) => {
    const y = round(HEIGHT - BOTTOM - share * plotHeight)
    const label = share === 0 ? '' : displayAmount('cost', Math.round(share * highest))
    return `<line class="rule" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${label}</text>`
  })
  const every = Math.ceil(times.length / MOST_LABELS)
  const labels = times.map((time, place) => {
    if (place % every !== 0) return ''
    const text = step === 'hour' ? time.slice(11, 16) : time.slice(5)
    return `<text x="${round(LEFT + (place + 0.5) * slot)}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(text)}</text>`
  })
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">${rules.join('')}${columns.join('')}${labels.join('')}</svg>`
}

/** A round figure at or above this one: the top of an axis. */
function ceilingOf(nanoUsd: number): number {
  const power = 10 ** Math.floor(Math.log10(nanoUsd))
  const step = [1, 2, 4, 5, 10].find((each) => each * power >= nanoUsd) ?? 10
  return step * power
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
