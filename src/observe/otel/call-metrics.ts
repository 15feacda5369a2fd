import type { Attributes, Meter } from '@opentelemetry/api'
import type { StintEvent } from '../../core/index.ts'
import { CONVENTION, nameAttributes, operationOf, tokensOf } from './attributes.ts'

// The bounds that the conventions recommend.
const TOKEN_BOUNDS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]
const SECOND_BOUNDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** Records the tokens and the duration of calls. Attributes are models, tools and operations: never a scope. */
export function createCallMetrics(meter: Meter): (event: StintEvent) => void {
  const usage = meter.createHistogram(CONVENTION.tokenUsage, {
    unit: '{token}',
    description: 'Number of input and output tokens used',
    advice: { explicitBucketBoundaries: TOKEN_BOUNDS },
  })
  const duration = meter.createHistogram(CONVENTION.duration, {
    unit: 's',
    description: 'Duration of model and tool calls',
    advice: { explicitBucketBoundaries: SECOND_BOUNDS },
  })
  return (event) => {
    if (event.event !== 'call_settled') return
    const attributes: Attributes = { [CONVENTION.operation]: operationOf(event), ...nameAttributes(event) }
    duration.record(
      event.duration_ms / 1_000,
      event.refused ? { ...attributes, [CONVENTION.error]: 'refused' } : attributes,
    )
    const tokens = event.call === 'model' ? tokensOf(event) : null
    if (tokens === null) return
    usage.record(tokens.input, { ...attributes, [CONVENTION.tokenType]: 'input' })
    usage.record(tokens.output, { ...attributes, [CONVENTION.tokenType]: 'output' })
  }
}
