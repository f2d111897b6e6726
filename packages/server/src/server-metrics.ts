import type { Database } from './platform/database/database.ts'
import { createPoolGauges } from './platform/database/pool-gauges.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { createQueueGauges } from './platform/queue/queue-gauges.ts'

/** The metrics with the gauges of the queue and of the connection pool. */
export function createServerMetrics(given: Metrics | undefined, database: Database): Metrics {
  const metrics = given ?? createMetrics()
  metrics.addGauges(createQueueGauges(database))
  metrics.addGauges(createPoolGauges(database))
  return metrics
}
