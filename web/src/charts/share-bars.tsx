import { Plain } from '../components/plain.tsx'
import './share-bars.css'
import './time-chart.css'

export interface Share {
  readonly key: string
  readonly name: string
  readonly value: number
  /** The value as text. */
  readonly text: string
  /** More about it, in small. */
  readonly detail?: string
  readonly color?: string
  readonly href?: string
}

/** Amounts with their share of the largest, as bars with their words. `isWhole`: they are parts of one whole. */
export function ShareBars({
  shares,
  isWhole = false,
}: {
  readonly shares: readonly Share[]
  readonly isWhole?: boolean
}) {
  const most = Math.max(1, ...shares.map(({ value }) => value))
  const sum = Math.max(
    1,
    shares.reduce((total, { value }) => total + value, 0),
  )
  return (
    <>
      {isWhole && (
        <div class="whole" aria-hidden="true">
          {shares.map(
            ({ key, value, color }) =>
              value > 0 && (
                <span
                  key={key}
                  style={{ flexGrow: String(value / sum), background: `var(${color ?? '--series-1'})` }}
                />
              ),
          )}
        </div>
      )}
      <ul class="shares">
        {shares.map(({ key, name, value, text, detail, color, href }) => (
          <li key={key}>
            <span class="cut">
              {isWhole && (
                <span
                  class="swatch"
                  style={{
                    background: `var(${color ?? '--series-1'})`,
                    display: 'inline-block',
                    marginRight: '0.5rem',
                  }}
                />
              )}
              {href === undefined ? (
                <Plain text={name} />
              ) : (
                <a href={href}>
                  <Plain text={name} />
                </a>
              )}
            </span>
            <span class="amount number">
              {text}
              <small>{detail ?? shareText(value / sum)}</small>
            </span>
            {!isWhole && (
              <span class="bar" aria-hidden="true">
                <span
                  style={{
                    width: `${(value / most) * 100}%`,
                    ...(color === undefined ? {} : { background: `var(${color})` }),
                  }}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function shareText(share: number): string {
  return share > 0 && share < 0.01 ? '<1 %' : `${Math.round(share * 100)} %`
}
