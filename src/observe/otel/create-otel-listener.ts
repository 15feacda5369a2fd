import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api'
import { assertKnownOptions, optionNames, type StintEvent } from '../../core/index.ts'
import { createCallMetrics } from './call-metrics.ts'
import { createScopeSpans } from './scope-spans.ts'

export interface OtelListenerOptions {
  /** Default: the global one. */
  readonly tracerProvider?: TracerProvider
  /** Default: the global one. */
  readonly meterProvider?: MeterProvider
}

const OPTIONS = optionNames<OtelListenerOptions>({ tracerProvider: true, meterProvider: true })
const NAME = 'stint'

/**
 * A listener for `governor.on` that makes spans and metrics by OpenTelemetry's conventions for generative AI. Without
 * an SDK it does nothing. Events have no prompts, answers or keys, so neither do spans.
 */
export function createOtelListener(options: OtelListenerOptions = {}): (event: StintEvent) => void {
  assertKnownOptions('createOtelListener', options, OPTIONS)
  const { tracerProvider = trace, meterProvider = metrics } = options
  const spans = createScopeSpans(tracerProvider.getTracer(NAME))
  const record = createCallMetrics(meterProvider.getMeter(NAME))
  return (event) => {
    spans(event)
    record(event)
  }
}
