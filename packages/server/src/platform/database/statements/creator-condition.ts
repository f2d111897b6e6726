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
 * Its aliases begin with `creator_`, so that those of the statement around it are not hidden.
 *
 * @param now a time of the organization, for the expiry of keys; null if the caller compares that itself.
 */
export const delegationStopReasonSql = (
  { organization, creator, project, permission = 'read' }: CreatedRow,
  now: Date | Sql | null,
): Sql => sql`(
  select case
      when creator_id.id is null then null
      when creator_key.revoked_at is not null then 'key_revoked'
      when creator_key.expires_at <= ${now}::timestamptz then 'key_expired'
      when creator_member.user_id is null then 'user_left'
      when creator_member.disabled_at is not null then 'user_disabled'
      ${project ? withoutAccess(organization, project, permission) : sql.empty}
    end
  from (select case when ${creator} ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then (${creator})::uuid end as id) creator_id
  left join api_keys creator_key on creator_key.organization_id = ${organization} and creator_key.id = creator_id.id
  left join memberships creator_member on creator_member.organization_id = ${organization} and creator_member.user_id = coalesce(creator_key.created_by, creator_id.id))`

const withoutAccess = (organization: Sql, project: Sql, permission: ProjectPermission): Sql => sql`
      when ${project} is not null and creator_member.role not in ('owner', 'admin') and not exists (
        select 1 from project_members creator_access
        where creator_access.organization_id = ${organization} and creator_access.project_id = ${project} and creator_access.user_id = creator_member.user_id
          and creator_access.role = any(${[...projectRolesByPermission[permission]]}::text[])) then 'no_access'`
