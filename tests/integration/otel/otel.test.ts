import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { describe, expect, it } from 'vitest'
import { createGovernor } from '../../../src/governor/index.ts'
import { createOtelListener } from '../../../src/observe/otel/index.ts'
import { createPriceBook, parsePrices } from '../../../src/pricing/index.ts'

function createSdk() {
  const spans = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const recorded = async () => {
    await reader.forceFlush()
    return (
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []
    )
  }
  return { spans, tracerProvider, meterProvider, recorded, end: () => meterProvider.shutdown() }
}

const PRICES = createPriceBook({ overrides: parsePrices({ m: { input: 1, output: 2 } }) })

async function play(listener: ReturnType<typeof createOtelListener>) {
  const governor = createGovernor({ prices: PRICES, onEvent: listener })
  const run = await governor.open({ name: 'developer', limits: { toolCalls: 1, cost: 5 } })
  const child = await run.open({ name: 'helper' })
  await child.callModel({ model: 'm', inputTokens: 100, maxOutputTokens: 50 }, async () => ({
    value: 'a secret answer',
    usage: { inputTokens: 80, outputTokens: 20 },
  }))
  await child.callTool({ name: 'read' }, () => 'a secret file')
  await child.callTool({ name: 'write' }, () => 'done').catch(() => {})
  await child.close()
  await run.close('failed')
  await governor.close()
}

describe('the OpenTelemetry listener', () => {
  it('creates a span for each agent and call, by the conventions, with its usage', async () => {
    const { spans, tracerProvider, meterProvider, end } = createSdk()
    await play(createOtelListener({ tracerProvider, meterProvider }))
    const finished = spans.getFinishedSpans()
    const named = (name: string) => finished.find((span) => span.name === name)!
    const [run, helper, chat, tool] = [
      'invoke_agent developer',
      'invoke_agent helper',
      'chat m',
      'execute_tool read',
    ].map(named)
    expect(helper!.parentSpanContext?.spanId).toBe(run!.spanContext().spanId)
    expect(chat!.parentSpanContext?.spanId).toBe(helper!.spanContext().spanId)
    expect(tool!.parentSpanContext?.spanId).toBe(helper!.spanContext().spanId)
    expect(chat!.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': 80,
      'gen_ai.usage.output_tokens': 20,
      'stint.cost_usd': 0.00012,
    })
    expect(tool!.attributes).toMatchObject({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'read' })
    expect(run!.attributes).toMatchObject({ 'gen_ai.agent.name': 'developer', 'error.type': 'limit-reached' })
    expect(run!.events.map(({ name }) => name)).toContain('alert_raised')
    const texts = JSON.stringify(finished.map(({ name, attributes, events }) => ({ name, attributes, events })))
    expect(texts).not.toContain('secret')
    await end()
  })

  it('records tokens and durations, without scope names', async () => {
    const { tracerProvider, meterProvider, recorded, end } = createSdk()
    await play(createOtelListener({ tracerProvider, meterProvider }))
    const metrics = await recorded()
    const points = metrics.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, attributes, value })),
    )
    expect(points).toContainEqual(
      expect.objectContaining({
        name: 'gen_ai.client.token.usage',
        attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.token.type': 'output' },
        value: expect.objectContaining({ sum: 20, count: 1 }),
      }),
    )
    expect(points.map(({ name }) => name)).toContain('gen_ai.client.operation.duration')
    expect(JSON.stringify(points.map(({ attributes }) => attributes))).not.toContain('helper')
    await end()
  })

  it('does nothing without an SDK, and refuses an unknown option', async () => {
    await play(createOtelListener())
    const misspelled = JSON.parse('{ "tracer": 1 }')
    expect(() => createOtelListener(misspelled)).toThrow('createOtelListener has no option "tracer"')
  })
})
