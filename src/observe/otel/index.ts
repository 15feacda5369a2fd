export { createOtelListener, type OtelListenerOptions } from './create-otel-listener.ts'
