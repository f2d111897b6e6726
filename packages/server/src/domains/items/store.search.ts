import type { ItemType } from '@swath/contract/shapes/item.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { Cql2 } from './cql2/tree.ts'
import { cql2Condition } from './store.cql2.ts'
import { isNear, placeConditions, type Area, type Box } from './store.places.ts'
import { testCondition, type PropertyTest } from './store.property-tests.ts'
import {
  afterCondition,
  aliasesOf,
  expressionsOf,
  orderOf,
  sortTerms,
  termColumns,
  type Boundary,
  type SortKey,
  type SortTerm,
} from './store.sort.ts'
import { itemColumns, type ItemRow } from './store.ts'
import { keptWhenUsual } from './store.usual-forms.ts'

/** What items must be to be found. */
export interface ItemConditions {
  /** A query of the ids of the projects that are searched, each table in it bound to the organization. */
  readonly projects: Sql
  /** STAC ids. */
  readonly ids: readonly string[] | null
  /** An item may lie in any of them; null is everywhere, an empty list nowhere. */
  readonly boxes: readonly Box[] | null
  readonly area: Area | null
  readonly from: Date | null
  readonly to: Date | null
  readonly collections: readonly string[] | null
  readonly type: ItemType | null
  readonly tests: readonly PropertyTest[]
  readonly filter: Cql2 | null
}

export interface ItemSearch extends ItemConditions {
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
  /** Rows are counted from the one after it; null is the beginning. */
  readonly after: Boundary | null
}

/** One project, whose reading was allowed before. */
export const onlyProject = (id: string): Sql => sql`select ${id}::uuid as id`

/** The projects that are searched, for the beginning of a statement; `conditionsOf` looks into it. */
export const readable = ({ projects }: ItemConditions): Sql => sql`readable as materialized (${projects})`

/** All conditions on the table `i` but those of time. */
const conditionsOf = (organization: string, search: ItemConditions): Sql[] => [
  sql`i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'`,
  sql`i.project_id = any(array(select r.id from readable r))`,
  ...(search.ids ? [sql`i.stac_id = any(${search.ids}::text[])`] : []),
  ...placeConditions(search),
  ...(search.collections ? [sql`i.collection_id = any(${search.collections}::uuid[])`] : []),
  ...(search.type ? [sql`i.type = ${search.type}`] : []),
  ...search.tests.map(testCondition),
  ...(search.filter ? [cql2Condition(search.filter)] : []),
]

const and = sql` and `

/**
 * The items of a span of time as two kinds without a common one: those that begin in it, nearly all, which are one
 * stretch of the index by time, and the few that began before it and last.
 */
function spans({ from, to }: ItemConditions): Sql[][] {
  const begun = to ? [sql`i.covers_from <= ${to}::timestamptz`] : []
  if (!from) return [begun]
  const start = sql`${from}::timestamptz`
  return [
    [...begun, sql`i.covers_from >= ${start}`],
    [sql`i.lasts and i.covers_from < ${start} and i.covers_to >= ${start}`],
  ]
}

/** The conditions on the table `i`, in a statement that begins with `readable`. */
export function whereOf(organization: string, search: ItemConditions): Sql {
  const kinds = spans(search).map((conditions) => sql.join(conditions, and))
  const time = kinds.length > 1 ? [sql`(${sql.join(kinds, sql` or `)})`] : spans(search).flat()
  return sql.join([...conditionsOf(organization, search), ...time], and)
}

/**
 * Whether all that is found is gathered before it is sorted and counted: right for conditions that leave few items or
 * cost much. Otherwise the page is read from the index of its order, and the count from an index alone.
 */
const isGathered = (search: ItemSearch): boolean =>
  search.ids !== null ||
  search.boxes !== null ||
  search.area !== null ||
  search.filter !== null ||
  search.type !== null ||
  search.tests.length > 0 ||
  search.sort.some(({ property }) => property !== 'datetime')

/**
 * What a statement begins with: the rows of a page and one more, if there is one, as the table `page` with their sort
 * terms; and the exact count of all that fit as an expression.
 */
export function pageQuery(organization: string, search: ItemSearch): { page: Sql; matched: Sql } {
  const terms = sortTerms(search.sort)
  return isGathered(search) ? gatheredPage(organization, search, terms) : indexedPage(organization, search, terms)
}

const columnsOf = (terms: readonly SortTerm[]): Sql => sql`i.id, i.revision, ${termColumns(terms)}`

function gatheredPage(
  organization: string,
  search: ItemSearch,
  terms: readonly SortTerm[],
): { page: Sql; matched: Sql } {
  const aliases = aliasesOf(terms)
  const after = search.after ? sql`where ${afterCondition(terms, aliases, sql`p.id`, search.after)}` : sql.empty
  const page = sql`
    ${readable(search)},
    found as materialized (select ${columnsOf(terms)} from items i where ${whereOf(organization, search)}),
    page as materialized (
      select p.* from found p ${after}
      order by ${orderOf(terms, aliases, sql`p.id`)} limit ${search.limit + 1} offset ${search.offset})`
  return { page, matched: sql`(select count(*) from found)` }
}

function indexedPage(
  organization: string,
  search: ItemSearch,
  terms: readonly SortTerm[],
): { page: Sql; matched: Sql } {
  const [values, aliases] = [expressionsOf(terms), aliasesOf(terms)]
  const after = (expressions: Sql[], id: Sql): Sql[] =>
    search.after ? [afterCondition(terms, expressions, id, search.after)] : []
  const [begun = [], lasting] = spans(search).map((time) => [...conditionsOf(organization, search), ...time])
  const listed = sql`
    (select ${columnsOf(terms)} from items i where ${sql.join([...begun, ...after(values, sql`i.id`)], and)}
      order by ${orderOf(terms, values, sql`i.id`)} limit ${search.limit + 1 + search.offset})`
  const counted = sql`(select count(*) from items i where ${sql.join(begun, and)})`
  const ordered = sql`order by ${orderOf(terms, aliases, sql`p.id`)} limit ${search.limit + 1} offset ${search.offset}`
  if (!lasting) {
    const page = sql`${readable(search)}, page as materialized (select p.* from ${listed} p ${ordered})`
    return { page, matched: counted }
  }
  const page = sql`
    ${readable(search)},
    lasting as materialized (select ${columnsOf(terms)} from items i where ${sql.join(lasting, and)}),
    page as materialized (
      select p.* from (
        ${listed} union all
        select p.* from lasting p where ${sql.join([sql`true`, ...after(aliases, sql`p.id`)], and)}) p
      ${ordered})`
  return { page, matched: sql`(${counted} + (select count(*) from lasting))` }
}

/** A page of items, flat, and the count of all that fit; one row without an item where the page is empty. */
export function itemsStatement(organization: string, search: ItemSearch): Sql {
  const { page, matched } = pageQuery(organization, search)
  const terms = sortTerms(search.sort)
  return sql`
    with ${page}
    select c.matched, ${itemColumns}
    from (select ${matched} as matched) c
    left join (select p.* from page p order by ${orderOf(terms, aliasesOf(terms), sql`p.id`)} limit ${search.limit}) p
      on true
    left join items i on i.organization_id = ${organization} and i.id = p.id
    order by ${orderOf(terms, aliasesOf(terms), sql`p.id`)}`
}

/** Where the place is wide, whether its index is worth it depends on how wide: then each search is planned for itself. */
const planned = (search: ItemSearch, statement: Sql): Sql => (isNear(search) ? keptWhenUsual(statement) : statement)

/** True where nothing can be found. */
export const isNowhere = ({ boxes, ids, collections }: ItemConditions): boolean =>
  boxes?.length === 0 || ids?.length === 0 || collections?.length === 0

type Counted = ItemRow & { readonly matched: number }

const withoutCount = (row: Counted): ItemRow => {
  const { matched: _matched, ...item } = row
  return item
}

/** One page of items and the exact count of all that fit. */
export async function searchItems(
  db: Queryable,
  organization: string,
  search: ItemSearch,
): Promise<{ rows: ItemRow[]; matched: number }> {
  if (isNowhere(search)) return { rows: [], matched: 0 }
  const found = await db.query<Counted>(planned(search, itemsStatement(organization, search)))
  return {
    matched: found[0]?.matched ?? 0,
    rows: found.filter((row) => row.id !== null).map(withoutCount),
  }
}

/** A page of STAC Features as text. */
export interface FoundText {
  /**
   * Features with a comma and a new line between them; `\u0002` and the id of the item where none is written. Null where
   * they are longer than a page may be.
   */
  readonly features: string | null
  readonly returned: number
  readonly matched: number
  /** Where the next page begins; null where there is none. */
  readonly next: Boundary | null
}

/** A page of Features is at most so long: what a text of JavaScript and the memory of a server have room for, with some to spare. */
export const longestPage_bytes = 256 * 1024 * 1024

/** The Features are measured before they are put together, because the text of them all may be more than there is memory. */
export function featuresStatement(
  organization: string,
  search: ItemSearch,
  longest_bytes: number = longestPage_bytes,
): Sql {
  const { page, matched } = pageQuery(organization, search)
  const terms = sortTerms(search.sort)
  const aliases = aliasesOf(terms)
  return sql`
    with ${page},
    numbered as materialized (select row_number() over (order by ${orderOf(terms, aliases, sql`p.id`)}) as n, p.* from page p),
    texts as materialized (
      select p.n,
        coalesce(
          (select f.feature from item_features f
            where f.organization_id = ${organization} and f.item_id = p.id and f.revision = p.revision),
          E'\\x02' || p.id) as feature
      from numbered p where p.n <= ${search.limit})
    select ${matched} as matched,
      (select count(*) from numbered) as rows,
      case when (select coalesce(sum(octet_length(t.feature)), 0) from texts t) <= ${longest_bytes}::bigint
        then coalesce((select string_agg(t.feature, E',\\n' order by t.n) from texts t), '') end as features,
      (select array[${sql.join(aliases.map((alias) => sql`${alias}::text`))}, p.id::text]
        from numbered p where p.n = ${search.limit}) as edge`
}

interface FeaturesRow {
  readonly matched: number
  readonly rows: number
  readonly features: string | null
  readonly edge: (string | null)[] | null
}

/** One page of STAC Features and the exact count of all that fit. */
export async function searchFeatures(
  db: Queryable,
  organization: string,
  search: ItemSearch,
  longest_bytes?: number,
): Promise<FoundText> {
  if (isNowhere(search)) return { features: '', returned: 0, matched: 0, next: null }
  const [row] = await db.query<FeaturesRow>(planned(search, featuresStatement(organization, search, longest_bytes)))
  const { matched = 0, rows = 0, features = '', edge = null } = row ?? {}
  const more = rows > search.limit && edge !== null
  return {
    features,
    returned: Math.min(rows, search.limit),
    matched,
    next: more ? { values: edge.slice(0, -1), id: edge.at(-1) ?? '' } : null,
  }
}
