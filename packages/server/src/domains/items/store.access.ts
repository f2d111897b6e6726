import type { ProjectRole } from '@swath/contract/schemas/project.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { assetColumns, type AssetRow } from './assets/store.assets.ts'
import { itemColumns, type ItemRow } from './store.ts'

/** The roles of a user in the project and the organization of an item. */
interface UserRoles {
  readonly project_role: ProjectRole | null
  readonly organization_role: OrganizationRole | null
}

/**
 * The item, deleted or not, with the roles of a user, in one statement, because every tile request needs both; null if the
 * project is deleted.
 */
export async function findItemWithRoles(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  user: string | null,
): Promise<{ item: ItemRow; roles: UserRoles } | null> {
  const [row] = await db.query<ItemRow & UserRoles>(
    sql.generic(sql`
    select ${itemColumns}, pm.role as project_role, m.role as organization_role
    from items i
    join projects p on p.organization_id = i.organization_id and p.id = i.project_id and p.deleted_at is null
    left join project_members pm
      on pm.organization_id = i.organization_id and pm.project_id = i.project_id and pm.user_id = ${user}::uuid
    left join memberships m on m.organization_id = i.organization_id and m.user_id = ${user}::uuid
    where i.organization_id = ${organization} and i.id = ${id}`),
  )
  if (!row) return null
  const { project_role, organization_role, ...item } = row
  return { item, roles: { project_role, organization_role } }
}

/** The columns of an item that decide about access. */
export type ItemAccessFields = Pick<
  ItemRow,
  'id' | 'project_id' | 'collection_id' | 'lifecycle_state' | 'expires_at' | 'deleted_at'
>

/** The rows that decide whether an item is rendered for a user, and how. */
export interface ItemRenderingPermissions {
  readonly item: ItemAccessFields
  readonly roles: UserRoles
  readonly assets: readonly AssetRow[]
}

/** The same with the columns that tiles need and the assets by key: the only query of a tile request. */
export async function findRenderableItem(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  user: string | null,
): Promise<ItemRenderingPermissions | null> {
  type Row = Omit<ItemAccessFields, 'id' | 'deleted_at'> & UserRoles & AssetRow & { item_deleted_at: Date | null }
  const rows = await db.query<Row>(
    sql.generic(sql`
    select i.project_id, i.collection_id, i.lifecycle_state, i.expires_at, i.deleted_at as item_deleted_at,
      pm.role as project_role, m.role as organization_role, ${assetColumns}
    from items i
    join projects p on p.organization_id = i.organization_id and p.id = i.project_id and p.deleted_at is null
    left join project_members pm
      on pm.organization_id = i.organization_id and pm.project_id = i.project_id and pm.user_id = ${user}::uuid
    left join memberships m on m.organization_id = i.organization_id and m.user_id = ${user}::uuid
    left join assets a on a.organization_id = i.organization_id and a.item_id = i.id and a.deleted_at is null
    where i.organization_id = ${organization} and i.id = ${id}
    order by a.key`),
  )
  const [first] = rows
  if (!first) return null
  const { project_id, collection_id, lifecycle_state, expires_at, item_deleted_at: deleted_at } = first
  const { project_role, organization_role } = first
  return {
    item: { id: id.toLowerCase(), project_id, collection_id, lifecycle_state, expires_at, deleted_at },
    roles: { project_role, organization_role },
    // The left join returns one row without an asset for an item without assets.
    assets: first.key === null ? [] : rows,
  }
}
