import { toProcessClockTime, type OrganizationClocks } from '../../platform/clock.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { listOrganizationsWithDueEventDeliveries } from './store.queues.ts'

/** The organizations with a delivery that is due on their clock. */
export const listOrganizationsOfDueEventDeliveries = (
  unscoped: DbConnection,
  clocks: OrganizationClocks,
): Promise<string[]> =>
  listOrganizationsWithDueEventDeliveries(unscoped, clocks.times(), toProcessClockTime(clocks.process))
