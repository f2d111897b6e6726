import { createCallGauges } from './domains/usage/call-gauges.ts'
import type { CallMeter } from './domains/usage/call-meter.ts'
import type { Database } from './platform/database/database.ts'
import { createConnectionPoolGauges } from './platform/database/pool-gauges.ts'
import { createMetrics, type Metrics } from './platform/metrics.ts'
import { createQueueGauges } from './platform/queue/queue-gauges.ts'

/** The metrics with the gauges of the queue, of the connection pool and of counted calls. */
export function createServerMetrics(given: Metrics | undefined, database: Database, callMeter: CallMeter): Metrics {
  const metrics = given ?? createMetrics()
  metrics.addGauges(createQueueGauges(database))
  metrics.addGauges(createConnectionPoolGauges(database))
  metrics.addGauges(createCallGauges(callMeter))
  return metrics
}
