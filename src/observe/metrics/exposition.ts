/** A metric in the text format of Prometheus 0.0.4. */
export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly Sample[]
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  /** A number as text, so that money keeps its nine decimals. */
  readonly value: string
}

/** Families in the order given, samples sorted by their labels. A family without samples is left out. */
export function renderMetrics(families: readonly MetricFamily[]): string {
  const lines: string[] = []
  for (const { name, help, type, samples } of families) {
    if (samples.length === 0) continue
    lines.push(`# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`, `# TYPE ${name} ${type}`)
    lines.push(...samples.map(({ labels, value }) => `${name}${labelsText(labels)} ${value}`).sort())
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** Nothing in a label can end it: a name may contain quotes and line breaks. */
function escaped(value: string): string {
  return value.toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
