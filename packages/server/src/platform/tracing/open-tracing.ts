import type { Logger } from '../log.ts'
import { noTracing, type Tracing, type TracingSettings } from './tracing.ts'

/**
 * Tracing to the collector of OTEL_EXPORTER_OTLP_ENDPOINT. Without one nothing is recorded, and the libraries of
 * OpenTelemetry are not even loaded.
 */
export async function openTracing(config: TracingSettings, log: Pick<Logger, 'warn'>): Promise<Tracing> {
  if (config.otel_endpoint === null) return noTracing
  const { createOtlpTracing } = await import('./otlp-tracing.ts')
  return createOtlpTracing({ ...config, otel_endpoint: config.otel_endpoint }, log)
}
