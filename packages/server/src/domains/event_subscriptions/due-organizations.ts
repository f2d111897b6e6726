import { toProcessTime, type OrganizationClocks } from '../../platform/clock.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import { listOrganizationsWithDueDeliveries } from './store.queues.ts'

/** The organizations with a delivery that is due on their clock. */
export const listOrganizationsOfDueDeliveries = (
  unscoped: DbConnection,
  clocks: OrganizationClocks,
): Promise<string[]> => listOrganizationsWithDueDeliveries(unscoped, clocks.times(), toProcessTime(clocks.process))
