import type { Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

const columns = sql`i.id, i.name, ${sql.identifier('created_at', ['created_at'])}`

// These statements fit: each table is limited to one organization, by itself or by a join.
export const findItem = (db: Queryable, organization: string, id: string | null, lock: boolean) =>
  db.query(sql`
    select ${columns}, (select count(*) from orders o where o.organization_id = i.organization_id) as orders
    from items i
    join projects p on p.organization_id = i.organization_id and p.id = i.project_id
    where i.organization_id = ${organization} ${id === null ? sql.empty : sql`and i.id = ${id}`}
    ${lock ? sql`for update of i skip locked` : sql.empty}`)

export const insertItem = (db: Queryable, organization: string, rows: readonly { id: string; at: Date }[]) =>
  db.query(sql`
    insert into items (organization_id, id, created_at)
    values ${sql.join(rows.map(({ id, at }) => sql`(${organization}, ${id}, ${at}::timestamptz)`))}
    on conflict (organization_id, id) do update set created_at = greatest(items.created_at, excluded.created_at), name = lower(excluded.name)
    returning id`)

export const findAnyItem = (db: Queryable, id: string) => db.query(sql`select ${columns} from items i where i.id = ${id}`)

export const listItems = (db: Queryable, organization: string) =>
  db.query(sql`
    select ${columns} from items i join projects p on p.id = i.project_id where i.organization_id = ${organization}`)

/** An outer join limits only the side that may be missing. */
export const listItemsOfAll = (db: Queryable, organization: string) =>
  db.query(sql`
    select ${columns} from items i
    left join projects p on p.organization_id = i.organization_id and i.organization_id = ${organization}`)

export const countItems = (db: Queryable, organization: string) =>
  db.query(sql`
    select p.id, (select count(*) from items i where i.project_id = p.id) from projects p
    where p.organization_id = ${organization}`)

const ofOrganization = (organization: string | null): Sql =>
  organization === null ? sql`true` : sql`i.organization_id = ${organization}`

/** One of its two texts has no organization. */
export const listSome = (db: Queryable, organization: string | null) =>
  db.query(sql`select ${columns} from items i where ${ofOrganization(organization)}`)

const readPage = (db: Queryable, page: Sql) => db.query(sql`select p.* from (${page}) p`)

/** The statement is known where its SQL is passed. */
export const readAllPages = (db: Queryable) => readPage(db, sql`select i.* from items i`)

export const lockItems = (db: Queryable) => db.query(sql`select id from items order by id for update skip locked`)

export const moveItem = (db: Queryable, organization: string, other: string) =>
  db.query(sql`update items set organization_id = ${other} where organization_id = ${organization}`)

export const copyItems = (db: Queryable, organization: string) =>
  db.query(sql`
    insert into items (organization_id, id)
    select p.organization_id, p.id from projects p where p.id = ${organization}`)

/** Listed. */
export const sweepItems = (db: Queryable) => db.query(sql`delete from items where created_at < now()`)
