import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { DataTable } from '../components/data-table.tsx'
import { Plain } from '../components/plain.tsx'
import { useStore } from '../data/use-store.ts'
import { theme } from '../theme/theme.ts'
import { type ChartContent, chartData, chartOptions } from './chart-options.ts'
import './time-chart.css'

const HEIGHT = 208

/** Stacked bars over time, with the figures under the pointer, and a table with the same. */
export function TimeChart({ caption, content }: { readonly caption: string; readonly content: ChartContent }) {
  const element = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const shown = useStore(theme)
  const key = JSON.stringify([content.times, content.series])
  // The theme and the figures are all that it is drawn from.
  useEffect(() => {
    const parent = element.current
    if (parent === null) return
    const size = { width: parent.clientWidth, height: HEIGHT }
    const style = getComputedStyle(document.documentElement)
    const plot = new uPlot(chartOptions(content, size, style, setHovered), chartData(content), parent)
    const sizes = new ResizeObserver(() => {
      if (parent.clientWidth !== plot.width) plot.setSize({ width: parent.clientWidth, height: HEIGHT })
    })
    sizes.observe(parent)
    return () => {
      sizes.disconnect()
      plot.destroy()
    }
  }, [key, shown])
  return (
    <div class="chart">
      <ChartKeys content={content} hovered={hovered} />
      <div ref={element} class="plot" role="img" aria-label={`${caption}. The table below has the figures.`} />
      <details>
        <summary>Table</summary>
        <ChartTable caption={caption} content={content} />
      </details>
    </div>
  )
}

function ChartKeys({ content, hovered }: { readonly content: ChartContent; readonly hovered: number | null }) {
  const { times, series, timeText, valueText } = content
  const at = hovered === null ? undefined : times[hovered]
  return (
    <div class="keys">
      {at !== undefined && <span>{timeText(at)}</span>}
      {series.map(({ key, name, color, values }) => (
        <span key={key}>
          <span class="swatch" style={{ background: `var(${color})` }} />
          <Plain text={name} />
          {at !== undefined && hovered !== null && <b>{valueText(values[hovered] ?? 0)}</b>}
        </span>
      ))}
    </div>
  )
}

function ChartTable({ caption, content }: { readonly caption: string; readonly content: ChartContent }) {
  const { times, series, timeText, valueText } = content
  return (
    <DataTable
      caption={caption}
      keyOf={(index) => String(index)}
      rows={[...times.keys()].toReversed()}
      columns={[
        { title: 'Time', cell: (index: number) => timeText(times[index] ?? 0) },
        ...series.map(({ key, name, values }) => ({
          key,
          title: name,
          isNumber: true,
          cell: (index: number) => valueText(values[index] ?? 0),
        })),
      ]}
    />
  )
}
