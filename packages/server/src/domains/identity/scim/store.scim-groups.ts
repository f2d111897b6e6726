import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface ScimGroupRow {
  readonly id: string
  readonly display_name: string
  readonly external_id: string | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`g.id, g.display_name, g.external_id, g.version, g.created_at, g.updated_at`

/** All groups, or that with this id, oldest first. */
export const listScimGroups = (
  db: SqlStatementRunner,
  organization: string,
  id: string | null,
): Promise<ScimGroupRow[]> =>
  db.query<ScimGroupRow>(sql`
    select ${columns} from scim_groups g
    where g.organization_id = ${organization} and (${id}::uuid is null or g.id = ${id})
    order by g.created_at, g.id`)

/** With a row lock, which serializes changes of a group. */
export async function lockScimGroup(tx: Tx, organization: string, id: string): Promise<ScimGroupRow | null> {
  const [row] = await tx.query<ScimGroupRow>(sql`
    select ${columns} from scim_groups g where g.organization_id = ${organization} and g.id = ${id} for update of g`)
  return row ?? null
}

export async function countScimGroups(db: SqlStatementRunner, organization: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from scim_groups where organization_id = ${organization}`)
  return row?.count ?? 0
}

export async function insertScimGroup(tx: Tx, organization: string, row: ScimGroupRow): Promise<void> {
  await tx.query(sql`
    insert into scim_groups (organization_id, id, display_name, external_id, version, created_at, updated_at)
    values (${organization}, ${row.id}, ${row.display_name}, ${row.external_id}, ${row.version}, ${row.created_at},
            ${row.updated_at})`)
}

export async function updateScimGroup(tx: Tx, organization: string, row: ScimGroupRow): Promise<void> {
  await tx.query(sql`
    update scim_groups
    set display_name = ${row.display_name}, external_id = ${row.external_id}, version = ${row.version},
        updated_at = ${row.updated_at}
    where organization_id = ${organization} and id = ${row.id}`)
}

export async function deleteScimGroup(tx: Tx, organization: string, id: string): Promise<void> {
  await tx.query(sql`delete from scim_group_members where organization_id = ${organization} and group_id = ${id}`)
  await tx.query(sql`delete from scim_groups where organization_id = ${organization} and id = ${id}`)
}

/** A person in a group, with the names of both. */
export interface GroupMembershipRow {
  readonly group_id: string
  readonly display_name: string
  readonly external_id: string | null
  readonly resource_id: string
  readonly user_id: string
  readonly user_name: string
}

/** Who is in which group: all, or those of a group, or of a person. */
export const listGroupMemberships = (
  db: SqlStatementRunner,
  organization: string,
  { group, resource }: { readonly group: string | null; readonly resource: string | null },
): Promise<GroupMembershipRow[]> =>
  db.query<GroupMembershipRow>(sql`
    select gm.group_id, g.display_name, g.external_id, gm.resource_id, u.user_id, u.user_name
    from scim_group_members gm
    join scim_groups g on g.organization_id = gm.organization_id and g.id = gm.group_id
    join scim_users u on u.organization_id = gm.organization_id and u.id = gm.resource_id
    where gm.organization_id = ${organization}
      and (${group}::uuid is null or gm.group_id = ${group})
      and (${resource}::uuid is null or gm.resource_id = ${resource})
    order by u.user_name, gm.resource_id, g.display_name, gm.group_id`)

export async function insertGroupMember(
  tx: Tx,
  organization: string,
  row: { readonly group_id: string; readonly resource_id: string },
): Promise<void> {
  await tx.query(sql`
    insert into scim_group_members (organization_id, group_id, resource_id)
    values (${organization}, ${row.group_id}, ${row.resource_id})
    on conflict (organization_id, group_id, resource_id) do nothing`)
}

export async function deleteGroupMember(
  tx: Tx,
  organization: string,
  row: { readonly group_id: string; readonly resource_id: string },
): Promise<void> {
  await tx.query(sql`
    delete from scim_group_members
    where organization_id = ${organization} and group_id = ${row.group_id} and resource_id = ${row.resource_id}`)
}
