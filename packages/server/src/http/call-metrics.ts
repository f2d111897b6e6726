/** Records request metrics; implemented by `platform/metrics.ts`. */
export interface CallMetrics {
  recordCall(operation: string, status: number, duration_ms: number): void
}
