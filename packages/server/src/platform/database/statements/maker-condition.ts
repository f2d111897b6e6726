import { sql, type Sql } from '../sql.ts'

interface Made {
  /** The organization column of the row. */
  readonly organization: Sql
  /** The id, as text, of the user or of the API key that made it; null, or another text, for what nobody made. */
  readonly maker: Sql
  /** The column of the project that it is about; null within the row for one of the organization. */
  readonly project?: Sql
  /** The roles in the project that what it does needs. */
  readonly roles?: readonly string[]
}

const anyProjectRole = ['owner', 'admin', 'editor', 'viewer']
/** The roles in a project with which something may be changed or bought in it. */
export const writingProjectRoles = ['owner', 'admin', 'editor']

/**
 * The SQL expression of the reason for which something does not act any more; null while it does. It acts for the user who made it,
 * directly or with an API key: while the user is an enabled member of the organization with access to the project, and the key
 * is neither revoked nor expired. Asked when something is used, so that it holds in every process at once.
 *
 * Its aliases begin with `maker_`, so that those of the statement around it are not hidden.
 *
 * @param now a time of the organization, for the expiry of keys; null if the caller compares that itself.
 */
export const stopReasonSql = (
  { organization, maker, project, roles = anyProjectRole }: Made,
  now: Date | Sql | null,
): Sql => sql`(
  select case
      when made.id is null then null
      when maker_key.revoked_at is not null then 'key_revoked'
      when maker_key.expires_at <= ${now}::timestamptz then 'key_expired'
      when maker_member.user_id is null then 'user_left'
      when maker_member.disabled_at is not null then 'user_disabled'
      ${project ? withoutAccess(organization, project, roles) : sql.empty}
    end
  from (select case when ${maker} ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then (${maker})::uuid end as id) made
  left join api_keys maker_key on maker_key.organization_id = ${organization} and maker_key.id = made.id
  left join memberships maker_member on maker_member.organization_id = ${organization} and maker_member.user_id = coalesce(maker_key.created_by, made.id))`

const withoutAccess = (organization: Sql, project: Sql, roles: readonly string[]): Sql => sql`
      when ${project} is not null and maker_member.role not in ('owner', 'admin') and not exists (
        select from project_members maker_access
        where maker_access.organization_id = ${organization} and maker_access.project_id = ${project} and maker_access.user_id = maker_member.user_id
          and maker_access.role = any(${[...roles]}::text[])) then 'no_access'`
