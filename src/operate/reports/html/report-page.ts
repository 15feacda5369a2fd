import { COST_PARTS, type CostParts, displayAmount } from '../../../core/index.ts'
import { COST_LABELS } from '../cost-labels.ts'
import { costOf, type Spend, type SpendReport, type SpendRow } from '../spend-report.ts'
import { escaped, shareText } from './markup.ts'
import { STYLE } from './style.ts'
import { keyClass, timelineChart } from './timeline-chart.ts'

const ROWS_SHOWN = 50

/** A report as one HTML file: without scripts, and without anything that is loaded from elsewhere. */
export function reportPage(report: SpendReport): string {
  const { by, total, sinceMs, untilMs, timeZone } = report
  const title = `Spending by ${by}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}: ${displayAmount('cost', costOf(total))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="total">${displayAmount('cost', costOf(total))}</p>
<p class="sub">${counted(total.calls, 'call')}, ${displayAmount('tokens', total.amounts.tokens ?? 0)} tokens · ${minuteText(sinceMs, timeZone)} to ${minuteText(untilMs, timeZone)} (${escaped(timeZone)})</p>
${total.calls === 0 ? '<section><h2>Nothing was called in this time.</h2></section>' : sections(report)}
<footer>A call counts in the hour in which it was reserved. “Assumed” is charged at its worst case until the real usage is known. Costs are those of the ledger, in US dollars; the parts of each add up to it exactly.</footer>
</main>
</body>
</html>
`
}

function sections(report: SpendReport): string {
  const { total, timeline } = report
  const cost = costOf(total)
  if (cost === 0) return section(nameOf(report), table(report))
  const over = `Cost per ${timeline.step}`
  return [
    section('Where the money went', `${partsBar(total.costs, cost)}${partsLegend(total.costs, cost)}`),
    section(over, `${timelineChart(timeline, over)}${isTime(report) ? '' : keysLegend(report)}`),
    section(nameOf(report), table(report)),
  ].join('\n')
}

function nameOf({ by, rows }: SpendReport): string {
  return `${by[0]!.toUpperCase()}${by.slice(1)}${rows.length === 1 ? '' : 's'}`
}

function section(title: string, content: string): string {
  return `<section><h2>${title}</h2>${content}</section>`
}

function isTime({ by }: SpendReport): boolean {
  return by === 'hour' || by === 'day'
}

function partsBar(costs: CostParts, cost: number): string {
  let x = 0
  const parts = COST_PARTS.map((part, colour) => {
    const width = (860 * (costs[part] ?? 0)) / cost
    const rect = `<rect class="f${colour}" x="${x.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="26"><title>${COST_LABELS[part]}: ${displayAmount('cost', costs[part] ?? 0)}</title></rect>`
    x += width
    return width === 0 ? '' : rect
  })
  return `<svg viewBox="0 0 860 26" role="img" aria-label="Where the money went">${parts.join('')}</svg>`
}

function partsLegend(costs: CostParts, cost: number): string {
  const items = COST_PARTS.map((part, colour) => {
    const amount = costs[part] ?? 0
    return amount === 0 ? '' : legendItem(`f${colour}`, COST_LABELS[part], amount, cost)
  })
  return `<ul class="legend">${items.join('')}</ul>`
}

function keysLegend({ timeline, total }: SpendReport): string {
  const items = timeline.costs.map(({ key, costs }, colour) => {
    const sum = costs.reduce((left, right) => left + right, 0)
    return legendItem(keyClass(key, colour), key === null ? 'others' : escaped(key), sum, costOf(total))
  })
  return `<ul class="legend">${items.join('')}</ul>`
}

function legendItem(colour: string, label: string, amount: number, whole: number): string {
  return `<li><i class="dot ${colour}"></i>${label} <b>${displayAmount('cost', amount)}</b> <span>${shareText(amount, whole)}</span></li>`
}

function table(report: SpendReport): string {
  const { by, rows, total } = report
  const highest = Math.max(1, ...rows.slice(0, ROWS_SHOWN).map(costOf), ...(isTime(report) ? rows.map(costOf) : []))
  const shown = isTime(report) ? rows : rows.slice(0, ROWS_SHOWN)
  const lines = shown.map((row) => tableRow(row, highest, costOf(total)))
  const hidden = rows.length - shown.length
  const more =
    hidden === 0 ? '' : `<p class="sub">and ${counted(hidden, 'other')} that cost less: \`--csv\` has all.</p>`
  const heads = `<tr><th scope="col">${by}</th><th class="bar"></th><th class="n" scope="col">calls</th><th class="n" scope="col">tokens</th><th class="n" scope="col">cost</th><th class="n" scope="col">share</th></tr>`
  return `<div class="scroll"><table><thead>${heads}</thead><tbody>${lines.join('')}</tbody></table></div>${more}`
}

function tableRow({ key, ...spend }: SpendRow, highest: number, whole: number): string {
  const cost = costOf(spend)
  const parts = COST_PARTS.map((part, colour) => {
    const amount = spend.costs[part] ?? 0
    return amount === 0 ? '' : `<i class="f${colour}" style="flex: ${(amount / cost).toFixed(4)}"></i>`
  })
  const bar = cost === 0 ? '' : `<div style="width: ${((100 * cost) / highest).toFixed(2)}%">${parts.join('')}</div>`
  return `<tr><td>${escaped(key)}</td><td class="bar">${bar}</td><td class="n">${spend.calls.toLocaleString('en-US')}</td><td class="n">${tokensText(spend)}</td><td class="n">${displayAmount('cost', cost)}</td><td class="n">${shareText(cost, whole)}</td></tr>`
}

function tokensText({ amounts }: Spend): string {
  return displayAmount('tokens', amounts.tokens ?? 0)
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}

function minuteText(atMs: number, timeZone: string): string {
  const format = { dateStyle: 'short', timeStyle: 'short' } as const
  return new Intl.DateTimeFormat('sv-SE', { ...format, timeZone }).format(atMs)
}
