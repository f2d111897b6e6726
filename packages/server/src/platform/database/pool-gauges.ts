import type { GaugeSource } from '../metrics.ts'
import type { Database } from './database.ts'
import { getDatabaseDriver } from './raw.ts'

/** The state of the connection pool; without values on the embedded database, which has a single connection. */
export const createConnectionPoolGauges = (database: Database): GaugeSource => ({
  gauges: {
    swath_database_connections: 'Connections of the pool by state: in_use or idle.',
    swath_database_waiting: 'Callers that wait for a connection.',
  },
  labels: ['state'],
  read: async () => {
    const pool = getDatabaseDriver(database).readPool?.()
    const states = pool ? { in_use: pool.in_use, idle: pool.idle } : {}
    return {
      swath_database_connections: Object.entries(states).map(([state, value]) => ({
        labels: { state },
        value,
      })),
      swath_database_waiting: pool ? [{ labels: {}, value: pool.waiting }] : [],
    }
  },
})
