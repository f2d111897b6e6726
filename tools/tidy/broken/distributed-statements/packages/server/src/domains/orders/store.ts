import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export const putOrder = (db: Queryable, organization: string, id: string, at: string) =>
  db.query(sql`
    insert into orders as o (organization_id, id, status, updated_at)
    values (${organization}, ${id}, 'new', ${at})
    on conflict (organization_id, id) do update
      set updated_at = now(), status = excluded.reference::timestamptz::text, line = random()
      where o.updated_at < current_timestamp - interval '1 day'`)

export const touchOrder = (db: Queryable, organization: string) =>
  db.query(sql`update orders set updated_at = clock_timestamp(), number = new_number() where organization_id = ${organization}`)

export const findLuckyOrder = (db: Queryable, organization: string) =>
  db.query(sql`select id from orders where organization_id = ${organization} and number > random()`)

export const insertOrders = (db: Queryable, organization: string, ids: readonly string[]) =>
  db.query(sql`insert into orders (organization_id, id) select ${organization}::uuid, id from unnest(${ids}::uuid[]) as given (id)`)

export const insertRecords = (db: Queryable, organization: string, records: readonly unknown[]) =>
  db.query(sql`
    with given as (select id from jsonb_to_recordset(${sql.json(records)}::jsonb) as record (id uuid))
    insert into orders (organization_id, id) select ${organization}::uuid, id from given`)

export const insertNext = (db: Queryable, organization: string) =>
  db.query(sql`
    insert into orders (organization_id, line)
    values (${organization}, (select count(*) from orders where organization_id = ${organization}))
    returning (select count(*) from projects where organization_id = ${organization})`)

export const insertBoth = (db: Queryable, organization: string, id: string) =>
  db.query(sql`
    with item as (insert into items (organization_id, id, project_id) values (${organization}, ${id}, ${id}))
    insert into projects (organization_id, id) values (${organization}, ${id})`)

export const findNothing = (db: Queryable, organization: string) =>
  db.query(sql`select from where orders organization_id ${organization}`)

/** The list allows one of these. */
export const listTwice = async (db: Queryable) => {
  await db.query(sql`select id from orders`)
  await db.query(sql`select status from orders`)
}
