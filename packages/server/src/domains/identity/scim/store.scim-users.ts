import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** A person as the directory of an organization knows them. */
export interface ScimPerson {
  /** That of the account for a member whom no directory has touched. */
  readonly id: string
  /** The account. */
  readonly user_id: string
  readonly user_name: string
  readonly external_id: string | null
  readonly active: boolean
  /** What a directory wrote, `active` included, but the name and the external id. */
  readonly attributes: Readonly<Record<string, unknown>>
  /** 0 for a member without a row. */
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** A member whom no directory has touched. */
export interface UntouchedMember {
  readonly user_id: string
  readonly email: string
  readonly name: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`u.id, u.user_id, u.user_name, u.external_id, u.active, u.attributes, u.version, u.created_at, u.updated_at`

/** The row of an account; null if no directory has touched it. */
export async function findScimUserOfAccount(
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<ScimPerson | null> {
  const [row] = await db.query<ScimPerson>(sql`
    select ${columns} from scim_users u where u.organization_id = ${organization} and u.user_id = ${user}`)
  return row ?? null
}

/** The same, with a row lock: whoever signs in and whoever is deactivated come one after the other. */
export async function lockScimUserOfAccount(tx: Tx, organization: string, user: string): Promise<ScimPerson | null> {
  const [row] = await tx.query<ScimPerson>(sql`
    select ${columns} from scim_users u where u.organization_id = ${organization} and u.user_id = ${user} for update of u`)
  return row ?? null
}

/** Which people: those with this id, this name in its key, this external id, or all for what is null. */
export interface PersonFilter {
  readonly id: string | null
  readonly user_name_key: string | null
  readonly external_id: string | null
}

export const everyPerson: PersonFilter = { id: null, user_name_key: null, external_id: null }

/** The rows that match a filter, oldest first. */
export const listScimUsers = (
  db: SqlStatementRunner,
  organization: string,
  { id, user_name_key, external_id }: PersonFilter,
): Promise<ScimPerson[]> =>
  db.query<ScimPerson>(sql`
    select ${columns} from scim_users u
    where u.organization_id = ${organization}
      and (${id}::uuid is null or u.id = ${id})
      and (${user_name_key}::text is null or u.user_name_key = ${user_name_key})
      and (${external_id}::text is null or u.external_id = ${external_id})
    order by u.created_at, u.id`)

/** Members without a row that match a filter, oldest first; none has an external id. */
export const listUntouchedMembers = (
  db: SqlStatementRunner,
  organization: string,
  { id, user_name_key }: Pick<PersonFilter, 'id' | 'user_name_key'>,
): Promise<UntouchedMember[]> =>
  db.query<UntouchedMember>(sql`
    select m.user_id, m.email, m.name, m.created_at, m.updated_at from memberships m
    where m.organization_id = ${organization}
      and (${id}::uuid is null or m.user_id = ${id})
      and (${user_name_key}::text is null or lower(m.email) = ${user_name_key})
      and not exists (
        select 1 from scim_users u where u.organization_id = ${organization} and u.user_id = m.user_id)
    order by m.created_at, m.user_id`)

/** With a row lock, which serializes changes of a person. */
export async function lockScimUser(tx: Tx, organization: string, id: string): Promise<ScimPerson | null> {
  const [row] = await tx.query<ScimPerson>(sql`
    select ${columns} from scim_users u where u.organization_id = ${organization} and u.id = ${id} for update of u`)
  return row ?? null
}

export async function countScimUsers(db: SqlStatementRunner, organization: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from scim_users where organization_id = ${organization}`)
  return row?.count ?? 0
}

/** A row with the key of its name. */
export interface WrittenScimUser extends ScimPerson {
  readonly user_name_key: string
}

/** False if the name, or the account, has a row. */
export async function insertScimUser(tx: Tx, organization: string, row: WrittenScimUser): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into scim_users (organization_id, id, user_id, user_name, user_name_key, external_id, active, attributes, version,
                            created_at, updated_at)
    values (${organization}, ${row.id}, ${row.user_id}, ${row.user_name}, ${row.user_name_key}, ${row.external_id},
            ${row.active}, ${sql.json(row.attributes)}, ${row.version}, ${row.created_at}, ${row.updated_at})
    on conflict do nothing
    returning id`)
  return rows.length > 0
}

/** True if another row than this one has the name. */
export async function hasScimUserName(
  db: SqlStatementRunner,
  organization: string,
  { user_name_key, id }: { readonly user_name_key: string; readonly id: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    select id from scim_users where organization_id = ${organization} and user_name_key = ${user_name_key} and id <> ${id}`)
  return rows.length > 0
}

export async function updateScimUser(tx: Tx, organization: string, row: WrittenScimUser): Promise<void> {
  await tx.query(sql`
    update scim_users
    set user_name = ${row.user_name}, user_name_key = ${row.user_name_key}, external_id = ${row.external_id},
        active = ${row.active}, attributes = ${sql.json(row.attributes)}, version = ${row.version},
        updated_at = ${row.updated_at}
    where organization_id = ${organization} and id = ${row.id}`)
}

export async function deleteScimUser(tx: Tx, organization: string, id: string): Promise<void> {
  await tx.query(sql`delete from scim_group_members where organization_id = ${organization} and resource_id = ${id}`)
  await tx.query(sql`delete from scim_users where organization_id = ${organization} and id = ${id}`)
}
