/** What the doors count; `platform/metrics.ts` keeps it. */
export interface CallMetrics {
  record(operation: string, status: number, took_ms: number): void
}
