import { AsyncLocalStorage } from 'node:async_hooks'
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind as OtelSpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../log.ts'
import { parseTraceparent, type ActiveSpan, type SpanKind, type Tracing, type TracingSettings } from './tracing.ts'

const kinds: Readonly<Record<SpanKind, OtelSpanKind>> = {
  server: OtelSpanKind.SERVER,
  consumer: OtelSpanKind.CONSUMER,
  client: OtelSpanKind.CLIENT,
}

/** The time for which a stop waits for a collector. */
const close_timeout_ms = 2000
const export_timeout_ms = 5000

/**
 * Sends spans by OTLP over HTTP in batches. The current span is ambient: it is the only way in which a request that a
 * library sends for a call knows the call. Nothing that a response depends on is read from it.
 */
export function createOtlpTracing(
  settings: TracingSettings & { readonly otel_endpoint: string },
  log: Pick<Logger, 'warn'>,
): Tracing {
  // The library reports a collector that does not answer only here.
  const warn = (message: string): void => log.warn({ reason: message.slice(0, 500) }, 'traces could not be sent')
  const ignore = (): void => undefined
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const ratio = new TraceIdRatioBasedSampler(settings.otel_sample_ratio)
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.otel_service_name }),
    // Whether a client wants its trace recorded is not up to it, only that it does not.
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${settings.otel_endpoint.replace(/\/$/, '')}/v1/traces`,
          headers: { ...settings.otel_headers },
          timeoutMillis: export_timeout_ms,
        }),
      }),
    ],
  })
  const tracer = provider.getTracer('swath')
  const currentSpan = new AsyncLocalStorage<Span>()
  return {
    span: async (name, { kind, parent, attributes }, work) => {
      const context = contextOf(parent, currentSpan.getStore())
      const span = tracer.startSpan(name, { kind: kinds[kind], ...(attributes ? { attributes } : {}) }, context)
      try {
        return await currentSpan.run(span, () => work(toActiveSpan(span)))
      } catch (error) {
        // Only the kind of the error: messages may have data of customers.
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
        throw error
      } finally {
        span.end()
      }
    },
    current: () => {
      const span = currentSpan.getStore()
      return span ? toTraceparent(span) : null
    },
    close: async () => {
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, close_timeout_ms).unref())
      const closed = provider.shutdown().catch((error: unknown) => warn(String(error)))
      await Promise.race([closed, timeout])
    },
  }
}

function contextOf(parent: string | null | undefined, current: Span | undefined): Context {
  const remote = parseTraceparent(parent)
  if (remote)
    return trace.setSpanContext(ROOT_CONTEXT, {
      traceId: remote.trace_id,
      spanId: remote.span_id,
      traceFlags: remote.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      isRemote: true,
    })
  return current && parent !== null ? trace.setSpan(ROOT_CONTEXT, current) : ROOT_CONTEXT
}

function toTraceparent(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`
}

const toActiveSpan = (span: Span): ActiveSpan => ({
  trace_id: span.spanContext().traceId,
  setAttributes: (attributes) => void span.setAttributes(attributes),
  setFailed: (reason) => void span.setStatus({ code: SpanStatusCode.ERROR, message: reason }),
})
