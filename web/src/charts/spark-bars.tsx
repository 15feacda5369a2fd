import './spark-bars.css'

/** Values as bars without an axis, next to the figure that they lead to; the full chart is on the page for spend. */
export function SparkBars({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(1, ...values)
  return (
    <span class="spark" aria-hidden="true">
      {values.map((value, index) => (
        <span key={index} style={{ height: `${Math.max(4, (value / most) * 100)}%` }} />
      ))}
    </span>
  )
}
