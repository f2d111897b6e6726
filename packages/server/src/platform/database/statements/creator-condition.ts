import { projectRolesByPermission, type ProjectPermission } from '@swath/contract/schemas/project.ts'
import { sql, type Sql } from '../sql.ts'

interface CreatedRow {
  /** The organization column of the row. */
  readonly organization: Sql
  /** The id, as text, of the user or of the API key that created it; null, or another text, for what nobody created. */
  readonly creator: Sql
  /** The column of the project that it is about; null within the row for one of the organization. */
  readonly project?: Sql
  /** The permission that it needs in the project; by default to read. */
  readonly permission?: ProjectPermission
}

/**
 * The SQL expression of the reason for which something does not act any more; null while it does. It acts for the user
 * who created it, directly or with an API key: while the user is an enabled member of the organization with access to
 * the project, and the key is neither revoked nor expired. Evaluated at each use, so that it holds in every process at
 * once.
 *
 * Its aliases begin with `creator_`, so that those of the statement around it are not hidden. Each of its queries reads a
 * table: Citus joins no values with the shards of other organizations. The membership is counted, so that a missing one is
 * a row, too.
 *
 * @param now a time of the organization, for the expiry of keys; null if the caller compares that itself.
 */
export function delegationStopReasonSql(
  { organization, creator, project, permission = 'read' }: CreatedRow,
  now: Date | Sql | null,
): Sql {
  const id = sql`case when ${creator} ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then (${creator})::uuid end`
  const key = sql`api_keys creator_key where creator_key.organization_id = ${organization} and creator_key.id = ${id}`
  return sql`(case when ${id} is null then null else coalesce((
    select case when creator_key.revoked_at is not null then 'key_revoked'
                when creator_key.expires_at <= ${now}::timestamptz then 'key_expired' end
    from ${key}), (
    select case when count(*) = 0 then 'user_left'
                when bool_or(creator_member.disabled_at is not null) then 'user_disabled'
                ${project ? withoutAccess(organization, project, permission) : sql.empty} end
    from memberships creator_member
    where creator_member.organization_id = ${organization}
      and creator_member.user_id = coalesce((select creator_key.created_by from ${key}), ${id}))) end)`
}

const withoutAccess = (organization: Sql, project: Sql, permission: ProjectPermission): Sql => sql`
  when bool_or(${project} is not null and creator_member.role not in ('owner', 'admin') and not exists (
    select 1 from project_members creator_access
    where creator_access.organization_id = ${organization} and creator_access.project_id = ${project} and creator_access.user_id = creator_member.user_id
      and creator_access.role = any(${[...projectRolesByPermission[permission]]}::text[]))) then 'no_access'`
