import type { GaugeSource } from '../metrics.ts'
import type { Database } from './database.ts'
import { getDriver } from './raw.ts'

/** The state of the connection pool; without values on the embedded database, which has a single connection. */
export const createPoolGauges = (database: Database): GaugeSource => ({
  gauges: {
    swath_database_connections: 'Connections of the pool by state: in_use or idle.',
    swath_database_waiting: 'Callers that wait for a connection.',
  },
  labels: ['state'],
  read: async () => {
    const pool = getDriver(database).readPool?.()
    if (!pool) return {}
    const { in_use, idle, waiting } = pool
    return {
      swath_database_connections: Object.entries({ in_use, idle }).map(([state, value]) => ({
        labels: { state },
        value,
      })),
      swath_database_waiting: [{ labels: {}, value: waiting }],
    }
  },
})
