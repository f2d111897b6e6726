import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { PublishedEvent } from '../../../platform/queue/queue.ts'
import { listNewestSceneMatches } from '../../catalog/saved-searches/store.scenes.ts'
import { listSavedSearchStandingOrders, type StandingOrderRow } from './store.standing-orders.ts'
import { insertStandingOrderScenes } from './store.standing-scenes.ts'

/**
 * Handles `saved_search.matched` in its transaction, so that no match is lost and none is added twice: the scenes become
 * pending scenes of the standing orders that follow the search. Those of a standing order that is not active are skipped.
 */
export async function addMatchedScenes(
  tx: Tx,
  { organization_id, entity_id }: PublishedEvent,
  now: OrganizationTime,
): Promise<void> {
  const rows = await listSavedSearchStandingOrders(tx, organization_id, entity_id)
  if (rows.length === 0) return
  const matches = await listNewestSceneMatches(tx, organization_id, entity_id, now)
  for (const row of rows) {
    const scenes = matches
      .filter(({ matched_at }) => matched_at >= row.created_at)
      .map((match) => ({ ...match, ...firstStatus(row), standing_order_id: row.id }))
    await insertStandingOrderScenes(tx, organization_id, scenes, now)
  }
}

const firstStatus = ({ status }: StandingOrderRow) =>
  status === 'active'
    ? ({ status: 'pending', reason: null } as const)
    : ({ status: 'skipped', reason: `The standing order was ${status}.` } as const)
