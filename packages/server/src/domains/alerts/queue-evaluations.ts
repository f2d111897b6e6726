import type { OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { EventHandler, PublishedEvent, QueueProducer } from '../../platform/queue/queue.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { insertAlertEvaluations } from './store.evaluations.ts'

/**
 * Handles events about items in their transaction: the pending evaluations are written with the event, so that nothing
 * is lost or evaluated twice. An item that no rule is about causes one query.
 */
export const queueAlertEvaluations =
  (event_type: string): Extract<EventHandler, (...parameters: never[]) => unknown> =>
  async (tx: Tx, event: PublishedEvent, now: OrganizationTime, enqueue: QueueProducer['enqueue']): Promise<void> => {
    const { organization_id, entity_id } = event
    const count = await insertAlertEvaluations(tx, { organization: organization_id, item: entity_id, event_type, now })
    if (count === 0) return
    await enqueue(
      tx,
      backgroundTaskTypes.evaluateAlerts,
      { organization_id, item_id: entity_id },
      { singleton_key: `${organization_id}/${entity_id}` },
    )
  }
