import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/**
 * True if an organization accepts a member with this domain of the e-mail address by its provider alone. Owners with emergency access
 * keep their password, and all owners if none of them can act: nobody can be locked out of an organization.
 */
export async function isPasswordRefused(
  db: SqlStatementRunner,
  organization: string,
  { user, domain }: { readonly user: string; readonly domain: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from identity_providers p
    join memberships m on m.organization_id = p.organization_id and m.user_id = ${user}
    where p.organization_id = ${organization} and p.mode = 'required' and ${domain} = any(p.domains)
      and exists (select 1 from organization_domains d
                  where d.organization_id = ${organization} and d.domain = ${domain} and d.state = 'verified')
      and not (m.role = 'owner' and (m.user_id = any(p.emergency_access) or not exists (
        select 1 from memberships o
        where o.organization_id = ${organization} and o.role = 'owner' and o.disabled_at is null
          and o.user_id = any(p.emergency_access))))`)
  return rows.length > 0
}
