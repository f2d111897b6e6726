import type { ProjectRole } from '@swath/contract/schemas/project.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { publishItemAccessChange } from '../../platform/database/item-access.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { ProjectRow } from './project.ts'

/** A project with the roles of one user in it and in its organization. */
export interface ProjectWithRoles extends ProjectRow {
  readonly project_role: ProjectRole | null
  readonly organization_role: OrganizationRole | null
}

/** The reader of projects: without `user` a service if `everything` is true, else nobody. */
export interface ProjectReadAccess {
  readonly organization: string
  readonly user: string | null
  readonly everything: boolean
}

const columns = sql`p.id, p.organization_id, p.name, p.description, p.region, p.storage_bucket, p.is_archived,
  p.created_by, p.created_at, p.updated_at`

/** The project with the roles of one user; null if it does not exist or was deleted. */
export async function findProject(
  db: SqlStatementRunner,
  organization: string,
  project_id: string,
  user: string | null,
): Promise<ProjectWithRoles | null> {
  const [row] = await db.query<ProjectWithRoles>(
    sql.prepared(sql`
    select ${columns}, pm.role as project_role, m.role as organization_role
    from projects p
    left join project_members pm
      on pm.organization_id = p.organization_id and pm.project_id = p.id and pm.user_id = ${user}::uuid
    left join memberships m on m.organization_id = p.organization_id and m.user_id = ${user}::uuid
    where p.organization_id = ${organization} and p.id = ${project_id} and p.deleted_at is null`),
  )
  return row ?? null
}

/** True if the reader reads every project of the organization: services, and its owners and admins. */
export const readsAllProjectsSql = (reader: ProjectReadAccess): Sql => sql`
  (${reader.everything}
    or exists (
      select 1 from memberships m
      where m.organization_id = ${reader.organization} and m.user_id = ${reader.user}::uuid and m.role in ('owner', 'admin')))`

/** True if the reader has one of the roles in the project, or reads every project. */
const hasRoleSql = (reader: ProjectReadAccess, roles: readonly ProjectRole[]) => sql`
  (${readsAllProjectsSql(reader)} or ${isMemberSql(reader, roles)})`

const isMemberSql = (reader: ProjectReadAccess, roles: readonly ProjectRole[]): Sql => sql`
  exists (
    select 1 from project_members pm
    join memberships m on m.organization_id = ${reader.organization} and m.user_id = pm.user_id
    where pm.organization_id = ${reader.organization} and pm.project_id = p.id and pm.user_id = ${reader.user}::uuid
      and pm.role = any (${[...roles]}::text[]))`

const allRoles: readonly ProjectRole[] = ['owner', 'admin', 'editor', 'viewer']
const writingRoles: readonly ProjectRole[] = ['owner', 'admin', 'editor']

/** The query of the ids of all projects that the reader may read, including archived ones. */
export const readableProjectIdsSql = (reader: ProjectReadAccess): Sql => sql`
  select p.id from projects p
  where p.organization_id = ${reader.organization} and p.deleted_at is null and ${hasRoleSql(reader, allRoles)}`

/** The same for the projects that the reader is a member of. */
export const memberProjectIdsSql = (reader: ProjectReadAccess): Sql => sql`
  select p.id from projects p
  where p.organization_id = ${reader.organization} and p.deleted_at is null and ${isMemberSql(reader, allRoles)}`

/** The ids of all projects that the reader may read, including archived ones. */
export async function listIdsOfReadableProjects(db: SqlStatementRunner, reader: ProjectReadAccess): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`${readableProjectIdsSql(reader)} order by p.id`)
  return rows.map((row) => row.id)
}

/** The ids of all deleted projects. */
export async function listIdsOfDeletedProjects(db: SqlStatementRunner, organization: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select p.id from projects p
    where p.organization_id = ${organization} and p.deleted_at is not null
    order by p.id`)
  return rows.map((row) => row.id)
}

/** The oldest project that is not archived and that the reader may write to. */
export async function findOldestWritableProject(
  db: SqlStatementRunner,
  reader: ProjectReadAccess,
): Promise<ProjectRow | null> {
  const [row] = await db.query<ProjectRow>(sql`
    select ${columns} from projects p
    where p.organization_id = ${reader.organization} and p.deleted_at is null and not p.is_archived
      and ${hasRoleSql(reader, writingRoles)}
    order by p.created_at, p.id
    limit 1`)
  return row ?? null
}

export interface ProjectPage {
  readonly include_archived: boolean
  readonly limit: number
  readonly offset: number
}

/** A page of the projects that the reader may read, newest first, with their total. */
export function listProjects(
  db: SqlStatementRunner,
  reader: ProjectReadAccess,
  page: ProjectPage,
): Promise<RowPage<ProjectRow>> {
  const where = sql`p.organization_id = ${reader.organization} and p.deleted_at is null
    and (${page.include_archived} or not p.is_archived) and ${hasRoleSql(reader, allRoles)}`
  const { limit, offset } = page
  const orderBy = sql`p.created_at desc, p.id desc`
  return selectPage(db, { columns, from: sql`projects p`, where, orderBy, limit, offset })
}

export async function insertProject(tx: Tx, project: ProjectRow): Promise<void> {
  await tx.query(sql`
    insert into projects (organization_id, id, name, description, region, storage_bucket, is_archived, created_by,
                          created_at, updated_at)
    values (${project.organization_id}, ${project.id}, ${project.name}, ${project.description}, ${project.region},
            ${project.storage_bucket}, ${project.is_archived}, ${project.created_by},
            ${project.created_at}, ${project.updated_at})`)
}

export interface ProjectChange {
  readonly name?: string
  readonly description?: string | null
  readonly is_archived?: boolean
  readonly updated_at: Date
}

/** Undefined fields are not changed. Null if the project was deleted. */
export async function updateProject(
  tx: Tx,
  organization: string,
  project_id: string,
  change: ProjectChange,
): Promise<ProjectRow | null> {
  const [row] = await tx.query<ProjectRow>(sql`
    update projects p
    set name = coalesce(${change.name ?? null}::text, p.name),
        description = case when ${change.description !== undefined} then ${change.description ?? null}::text
                           else p.description end,
        is_archived = coalesce(${change.is_archived ?? null}::boolean, p.is_archived),
        updated_at = ${change.updated_at}
    where p.organization_id = ${organization} and p.id = ${project_id} and p.deleted_at is null
    returning ${columns}`)
  return row ?? null
}

/** Locks the project until the transaction ends. False if it was deleted. */
export async function lockProjectForUpdate(tx: Tx, organization: string, project_id: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from projects
    where organization_id = ${organization} and id = ${project_id} and deleted_at is null
    for update`)
  return rows.length > 0
}

/** Prevents that the project is archived or deleted until the transaction ends; a share lock. Null if it was deleted. */
export async function lockProjectWithShareLock(
  tx: Tx,
  organization: string,
  project_id: string,
): Promise<{ is_archived: boolean } | null> {
  const [row] = await tx.query<{ is_archived: boolean }>(sql`
    select is_archived from projects
    where organization_id = ${organization} and id = ${project_id} and deleted_at is null
    for share`)
  return row ?? null
}

/** The row remains because tombstones of items refer to it. Its members are removed. */
export async function markProjectDeleted(
  tx: Tx,
  organization: string,
  project_id: string,
  now: OrganizationTime,
): Promise<void> {
  publishItemAccessChange(tx, organization)
  await tx.query(sql`
    delete from project_members where organization_id = ${organization} and project_id = ${project_id}`)
  await tx.query(sql`
    update projects set deleted_at = ${now}, updated_at = ${now}
    where organization_id = ${organization} and id = ${project_id}`)
}

/** The projects among these that exist. */
export const listProjectStates = (
  db: SqlStatementRunner,
  organization: string,
  projects: readonly string[],
): Promise<Pick<ProjectRow, 'id' | 'is_archived'>[]> =>
  db.query<Pick<ProjectRow, 'id' | 'is_archived'>>(sql`
    select id, is_archived from projects
    where organization_id = ${organization} and id = any(${[...projects]}::uuid[]) and deleted_at is null`)
