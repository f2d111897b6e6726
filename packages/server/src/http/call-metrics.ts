/** Records request metrics; implemented by `platform/metrics.ts`. */
export interface CallMetrics {
  record(operation: string, status: number, took_ms: number): void
}
