import type { ProjectRole } from '@swath/contract/shapes/project.ts'
import type { OrganizationRole } from '../../engine/call.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { itemColumns, type ItemRow } from './store.ts'

/** What a person is in the project and the organization of an item. */
interface Standing {
  readonly project_role: ProjectRole | null
  readonly organization_role: OrganizationRole | null
}

/**
 * The item with what one person is in its project, by one statement, because every tile asks; deleted or not, null where
 * the project was deleted.
 */
export async function findItemStanding(
  db: Queryable,
  organization: string,
  id: string,
  user: string | null,
): Promise<{ item: ItemRow; standing: Standing } | null> {
  const [row] = await db.query<ItemRow & Standing>(
    sql.kept(sql`
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
  return { item, standing: { project_role, organization_role } }
}
