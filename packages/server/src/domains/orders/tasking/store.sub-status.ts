import type { TaskingStatus } from '@swath/contract/lifecycles.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The sub-status of an order, with its row locked until the transaction ends; null if it has none yet. */
export async function lockOrderSubStatus(tx: Tx, organization: string, order: string): Promise<TaskingStatus | null> {
  const [row] = await tx.query<{ sub_status: TaskingStatus | null }>(sql`
    select sub_status from orders where organization_id = ${organization} and id = ${order} for update`)
  return row?.sub_status ?? null
}

export interface SubStatusChangeRow {
  readonly at: Date
  readonly from_sub_status: string | null
  readonly to_sub_status: string
  readonly reason_code: string | null
  readonly reason_text: string | null
  readonly actor: string | null
}

/** Writes the new sub-status and its change. */
export async function updateOrderSubStatus(
  tx: Tx,
  organization: string,
  order: string,
  change: SubStatusChangeRow,
): Promise<void> {
  await tx.query(sql`
    update orders set sub_status = ${change.to_sub_status}, updated_at = ${change.at}
    where organization_id = ${organization} and id = ${order}`)
  // The row of the order is locked, so that no other change takes this position.
  const [count] = await tx.query<{ position: number }>(sql`
    select count(*) + 1 as position from tasking_status_changes
    where organization_id = ${organization} and order_id = ${order}`)
  await tx.query(sql`
    insert into tasking_status_changes
      (organization_id, order_id, position, at, from_sub_status, to_sub_status, reason_code, reason_text, actor)
    values (${organization}, ${order}, ${count!.position}, ${change.at}, ${change.from_sub_status},
            ${change.to_sub_status}, ${change.reason_code}, ${change.reason_text}, ${change.actor})`)
}

export const listSubStatusChanges = (
  db: SqlStatementRunner,
  organization: string,
  order: string,
): Promise<SubStatusChangeRow[]> =>
  db.query<SubStatusChangeRow>(sql`
    select at, from_sub_status, to_sub_status, reason_code, reason_text, actor from tasking_status_changes
    where organization_id = ${organization} and order_id = ${order}
    order by position`)
