import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A change of the roles of a user, which one operator requests and another one decides. */
export interface RoleChangeRow {
  readonly id: string
  readonly user_id: string
  readonly email: string
  readonly operator: boolean | null
  readonly clip_user: boolean | null
  readonly reason: string
  readonly status: 'pending' | 'approved' | 'rejected'
  readonly requested_by: string
  readonly requested_at: Date
  readonly decided_by: string | null
  readonly decided_at: Date | null
  readonly decision_reason: string | null
  readonly decided_alone: boolean
}

const columns = sql`c.id, c.user_id, u.email, c.operator, c.clip_user, c.reason, c.status, c.requested_by, c.requested_at, c.decided_by,
  c.decided_at, c.decision_reason, c.decided_alone`

const changes = sql`role_changes c join users u on u.id = c.user_id`

/** False if another change of the user waits for its decision. Needs the unscoped connection, as all functions of this file. */
export async function insertRoleChange(
  tx: Tx,
  row: Pick<RoleChangeRow, 'id' | 'user_id' | 'operator' | 'clip_user' | 'reason' | 'requested_by' | 'requested_at'>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into role_changes (id, user_id, operator, clip_user, reason, status, requested_by, requested_at)
    values (${row.id}, ${row.user_id}, ${row.operator}, ${row.clip_user}, ${row.reason}, 'pending', ${row.requested_by},
            ${row.requested_at})
    on conflict (user_id) where status = 'pending' do nothing
    returning id`)
  return rows.length > 0
}

export async function findRoleChange(db: SqlStatementRunner, id: string): Promise<RoleChangeRow | null> {
  const [row] = await db.query<RoleChangeRow>(sql`select ${columns} from ${changes} where c.id = ${id}`)
  return row ?? null
}

/** The same, locked until the end of the transaction. */
export async function lockRoleChange(tx: Tx, id: string): Promise<RoleChangeRow | null> {
  const [row] = await tx.query<RoleChangeRow>(sql`select ${columns} from ${changes} where c.id = ${id} for update of c`)
  return row ?? null
}

/** Decides a change, which the caller has locked. */
export async function markRoleChangeDecided(
  tx: Tx,
  id: string,
  decision: Pick<RoleChangeRow, 'status' | 'decided_by' | 'decided_at' | 'decision_reason' | 'decided_alone'>,
): Promise<void> {
  await tx.query(sql`
    update role_changes
    set status = ${decision.status}, decided_by = ${decision.decided_by}, decided_at = ${decision.decided_at},
        decision_reason = ${decision.decision_reason}, decided_alone = ${decision.decided_alone}
    where id = ${id}`)
}

/** Newest first. */
export const listRoleChanges = (
  unscoped: SqlStatementRunner,
  filter: {
    readonly user: string | null
    readonly status: RoleChangeRow['status'] | null
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<RoleChangeRow>> =>
  selectPage<RoleChangeRow>(unscoped, {
    columns,
    from: changes,
    where: sql`(${filter.user}::uuid is null or c.user_id = ${filter.user})
      and (${filter.status}::text is null or c.status = ${filter.status})`,
    orderBy: sql`c.requested_at desc, c.id desc`,
    limit: filter.limit,
    offset: filter.offset,
  })
