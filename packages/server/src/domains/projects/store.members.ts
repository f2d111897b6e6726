import type { ProjectRole } from '@swath/contract/schemas/project.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { publishItemAccessChange } from '../../platform/database/item-access.ts'
import { sql } from '../../platform/database/sql.ts'

export interface ProjectMemberRow {
  readonly project_id: string
  readonly user_id: string
  readonly email: string
  readonly name: string | null
  readonly role: ProjectRole
  readonly created_at: Date
}

const columns = sql`pm.project_id, pm.user_id, m.email, m.name, pm.role, pm.created_at`

/** Restricts to members of the organization. */
const membership = sql`join memberships m on m.organization_id = pm.organization_id and m.user_id = pm.user_id`

export async function listProjectMembers(
  db: SqlStatementRunner,
  organization: string,
  project_id: string,
): Promise<ProjectMemberRow[]> {
  return db.query<ProjectMemberRow>(sql`
    select ${columns} from project_members pm ${membership}
    where pm.organization_id = ${organization} and pm.project_id = ${project_id}
    order by pm.created_at desc, pm.user_id`)
}

export async function findProjectMember(
  db: SqlStatementRunner,
  organization: string,
  project_id: string,
  user: string,
): Promise<ProjectMemberRow | null> {
  const [row] = await db.query<ProjectMemberRow>(sql`
    select ${columns} from project_members pm ${membership}
    where pm.organization_id = ${organization} and pm.project_id = ${project_id} and pm.user_id = ${user}`)
  return row ?? null
}

/** False if the user is in the project already, or is not a member of the organization. */
export async function insertProjectMember(
  tx: Tx,
  member: { organization_id: string; project_id: string; user_id: string; role: ProjectRole; created_at: Date },
): Promise<boolean> {
  publishItemAccessChange(tx, member.organization_id)
  const rows = await tx.query(sql`
    insert into project_members (organization_id, project_id, user_id, role, created_at, updated_at)
    select m.organization_id, ${member.project_id}::uuid, m.user_id, ${member.role}::text,
           ${member.created_at}::timestamptz, ${member.created_at}::timestamptz
    from memberships m
    where m.organization_id = ${member.organization_id} and m.user_id = ${member.user_id}
    on conflict (organization_id, project_id, user_id) do nothing
    returning user_id`)
  return rows.length > 0
}

export async function updateProjectMember(
  tx: Tx,
  member: { organization_id: string; project_id: string; user_id: string; role: ProjectRole; updated_at: Date },
): Promise<void> {
  publishItemAccessChange(tx, member.organization_id)
  await tx.query(sql`
    update project_members set role = ${member.role}, updated_at = ${member.updated_at}
    where organization_id = ${member.organization_id} and project_id = ${member.project_id}
      and user_id = ${member.user_id}`)
}

export async function deleteProjectMember(
  tx: Tx,
  organization: string,
  project_id: string,
  user: string,
): Promise<void> {
  publishItemAccessChange(tx, organization)
  await tx.query(sql`
    delete from project_members
    where organization_id = ${organization} and project_id = ${project_id} and user_id = ${user}`)
}

/** The memberships of a user in projects that are not deleted. */
export const listProjectMembershipsOfUser = (
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<Pick<ProjectMemberRow, 'project_id' | 'role'>[]> =>
  db.query<Pick<ProjectMemberRow, 'project_id' | 'role'>>(sql`
    select pm.project_id, pm.role from project_members pm
    join projects p on p.organization_id = pm.organization_id and p.id = pm.project_id
    where pm.organization_id = ${organization} and pm.user_id = ${user} and p.deleted_at is null
    order by pm.project_id`)

/** Ends all project memberships of a user, also in deleted projects. */
export async function deleteProjectMembershipsOfUser(tx: Tx, organization: string, user: string): Promise<void> {
  publishItemAccessChange(tx, organization)
  await tx.query(sql`delete from project_members where organization_id = ${organization} and user_id = ${user}`)
}

export async function countProjectOwners(tx: Tx, organization: string, project_id: string): Promise<number> {
  const [row] = await tx.query<{ owners: number }>(sql`
    select count(*) as owners from project_members
    where organization_id = ${organization} and project_id = ${project_id} and role = 'owner'`)
  return Number(row?.owners ?? 0)
}

/** True if the user is a member of the organization. */
export async function isOrganizationMember(
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    select user_id from memberships where organization_id = ${organization} and user_id = ${user}`)
  return rows.length > 0
}
