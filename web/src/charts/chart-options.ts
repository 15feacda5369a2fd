import uPlot from 'uplot'

export interface ChartSeries {
  /** What tells it from others, which may have the same name. */
  readonly key: string
  readonly name: string
  /** A token of the style sheet: `--series-1`. */
  readonly color: string
  readonly values: readonly number[]
}

export interface ChartContent {
  /** The start of each bar, as epoch milliseconds in equal steps. */
  readonly times: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly timeText: (atMs: number) => string
  readonly valueText: (value: number) => string
  /** Whether values are whole numbers. */
  readonly isCount?: boolean
}

const AXIS_WIDTH = 48
const AXIS_HEIGHT = 26
const PADDING: uPlot.Padding = [8, 8, 0, 0]
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000, 100_000, 1_000_000]
const LABEL_SPACE = 64
const BAR = { size: [0.72, 44] as [number, number], radius: 0 }

/** Stacked bars over time in the colours of the theme. `onHover`: the index of the bar under the pointer. */
export function chartOptions(
  { times, series, timeText, valueText, isCount = false }: ChartContent,
  size: { readonly width: number; readonly height: number },
  style: CSSStyleDeclaration,
  onHover: (index: number | null) => void,
): uPlot.Options {
  const color = (token: string): string => style.getPropertyValue(token).trim()
  const bars = uPlot.paths.bars?.(BAR)
  const axis = {
    stroke: color('--text-faint'),
    font: `11px ${color('--font')}`,
    ticks: { show: false },
    grid: { stroke: color('--line'), width: 1 },
  }
  return {
    ...size,
    padding: PADDING,
    // The table next to it says the same, and the figures under the pointer stand in the title.
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: { x: { time: false, range: barRange }, y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: AXIS_HEIGHT,
        space: LABEL_SPACE,
        values: (_, splits) => splits.map((index) => timeAt(index)),
      },
      {
        ...axis,
        ...(isCount ? { incrs: WHOLE_STEPS } : {}),
        size: AXIS_WIDTH,
        space: 36,
        values: (_, splits) => splits.map((value) => valueText(value)),
      },
    ],
    series: [
      {},
      // The whole stack is drawn first, and what is below in front of it.
      ...series.toReversed().map(({ name, color: token }) => ({
        label: name,
        fill: color(token),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? null)] },
  }

  function timeAt(index: number): string {
    const at = times[index]
    return Number.isInteger(index) && at !== undefined ? timeText(at) : ''
  }
}

/** Half a bar of space at either end. */
function barRange(_: uPlot, min: number, max: number): [number, number] {
  return [min - 0.6, max + 0.6]
}

/** The numbers of the bars, and the top of each part of the stack, the whole stack first. */
export function chartData({ times, series }: ChartContent): uPlot.AlignedData {
  const sums = times.map(() => 0)
  const tops = series.map(({ values }) => {
    for (const index of times.keys()) sums[index] = (sums[index] ?? 0) + (values[index] ?? 0)
    return [...sums]
  })
  return [[...times.keys()], ...tops.toReversed()]
}
