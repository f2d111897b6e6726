import type { Config } from '../config.ts'

/** The settings of traces. */
export type TracingSettings = Pick<Config, 'otel_endpoint' | 'otel_headers' | 'otel_service_name' | 'otel_sample_ratio'>

/** The kind of a span, as OpenTelemetry names it. */
export type SpanKind = 'server' | 'consumer' | 'client'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** A span that is being recorded. */
export interface ActiveSpan {
  /** The id of its trace, for log lines: 32 hexadecimal digits. */
  readonly trace_id: string
  setAttributes(attributes: SpanAttributes): void
  /** Marks the span as failed although its work did not throw. */
  setFailed(reason: string): void
}

export interface SpanOptions {
  readonly kind: SpanKind
  /**
   * W3C trace context of the cause, from a header or a task; null begins a trace. If omitted, the cause is the span in whose
   * work this one starts.
   */
  readonly parent?: string | null
  readonly attributes?: SpanAttributes
}

/**
 * Spans of calls, tasks and requests to others. A trace follows a call into the tasks that it enqueued and into the requests
 * that these send.
 */
export interface Tracing {
  /** Runs work within a span; it ends when the work does, as failed if it throws. Without tracing it only runs the work. */
  span<T>(name: string, options: SpanOptions, work: (span: ActiveSpan | null) => Promise<T>): Promise<T>
  /** The W3C trace context of the span in whose work this is called, for what will continue it; null without one. */
  current(): string | null
  /** Sends the recorded spans, within seconds. */
  close(): Promise<void>
}

/** Records nothing and costs one function call. */
export const noTracing: Tracing = {
  span: (_name, _options, work) => work(null),
  current: () => null,
  close: async () => undefined,
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** The ids and the sampled flag of a W3C trace context (version 00 and later); null if it is not valid. */
export function parseTraceparent(
  text: string | null | undefined,
): { readonly trace_id: string; readonly span_id: string; readonly sampled: boolean } | null {
  const [, trace_id, span_id, flags] = traceparent.exec(text ?? '') ?? []
  if (!trace_id || !span_id || !flags || text?.startsWith('ff')) return null
  if (/^0+$/.test(trace_id) || /^0+$/.test(span_id)) return null
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
