import type { DbConnection } from '../../platform/database/database.ts'
import { hasUnnumberedEvents, numberEvents } from './store.sequence.ts'

/** Numbers the events that were committed since the last time, so that readers can follow them in this order. */
export async function numberNewEvents(db: DbConnection, organization: string): Promise<void> {
  while (await hasUnnumberedEvents(db, organization)) await db.transaction((tx) => numberEvents(tx, organization))
}
