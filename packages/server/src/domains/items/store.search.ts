import type { ItemType } from '@swath/contract/shapes/item.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { Cql2 } from './cql2/tree.ts'
import { cql2Condition } from './store.cql2.ts'
import { isNear, placeConditions, type Area, type Box } from './store.places.ts'
import { testCondition, type PropertyTest } from './store.property-tests.ts'
import {
  afterCondition,
  aliasesOf,
  boundaryAt,
  datetimes,
  expressionsOf,
  orderOf,
  sortTerms,
  termColumns,
  termTexts,
  type Boundary,
  type SortKey,
  type SortTerm,
} from './store.sort.ts'
import { wholeMonths } from './whole-months.ts'
import { countFitting, pageSizes, type PageSizes } from './page-size.ts'
import { keptCount, keptCountOfMonths } from './store.counts.ts'
import { firstOf, inProjects, readable, type ProjectScope } from './store.scope.ts'
import { answerBytes, itemColumnsIf, type MeasuredRow } from './store.ts'
import { createStatementKeeper } from './store.usual-forms.ts'

/** The conditions of an item search. */
export interface ItemConditions {
  readonly projects: ProjectScope
  /** STAC ids. */
  readonly ids: readonly string[] | null
  /** Items that intersect any of them; null matches all, an empty list none. */
  readonly boxes: readonly Box[] | null
  readonly area: Area | null
  readonly from: Date | null
  readonly to: Date | null
  readonly collections: readonly string[] | null
  readonly type: ItemType | null
  readonly tests: readonly PropertyTest[]
  readonly filter: Cql2 | null
  /** Items that expire by then are not found. */
  readonly now: OrganizationTime
}

export interface ItemSearch extends ItemConditions {
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
  /** The page starts after this row; null is the beginning. */
  readonly after: Boundary | null
}

/** The items in stored counts: neither deleted nor marked as expired. */
const isKept = (organization: string): Sql =>
  sql`i.organization_id = ${organization} and i.deleted_at is null and i.lifecycle_state <> 'expired'`

const isOverdue = (now: OrganizationTime): Sql => sql`i.expires_at <= ${now}::timestamptz`

/** The condition of visible items: neither deleted nor expired, whether or not a sweep has marked them. */
export const isFound = (organization: string, now: OrganizationTime): Sql =>
  sql`${isKept(organization)} and (i.expires_at is null or i.expires_at > ${now}::timestamptz)`

/** All conditions on the table `i` except those of time. */
const conditionsOf = (
  organization: string,
  search: ItemConditions,
  kind = isFound(organization, search.now),
): Sql[] => [
  kind,
  inProjects(search.projects, sql`i.project_id`),
  ...(search.ids ? [sql`i.stac_id = any(${search.ids}::text[])`] : []),
  ...placeConditions(search),
  ...(search.collections ? [sql`i.collection_id = any(${search.collections}::uuid[])`] : []),
  ...(search.type ? [sql`i.type = ${search.type}`] : []),
  ...search.tests.map(testCondition),
  ...(search.filter ? [cql2Condition(search.filter)] : []),
]

const and = sql` and `

/**
 * Conditions of two disjoint sets of items that intersect a time interval: those that start in it (nearly all; one range
 * of the time index), and the few that started before it and last into it.
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

/** All conditions on the table `i`; requires the CTE `readable`. */
export function whereOf(organization: string, search: ItemConditions): Sql {
  const kinds = spans(search).map((conditions) => sql.join(conditions, and))
  const time = kinds.length > 1 ? [sql`(${sql.join(kinds, sql` or `)})`] : spans(search).flat()
  return sql.join([...conditionsOf(organization, search), ...time], and)
}

/** True if a search has only project, collection and time conditions, which stored counts can answer. */
export const isCounted = (search: ItemConditions): boolean =>
  search.ids === null &&
  search.boxes === null &&
  search.area === null &&
  search.filter === null &&
  search.type === null &&
  search.tests.length === 0

/**
 * True if all matches are materialized before sorting and counting: best for selective or expensive conditions. Otherwise
 * the page is read from the index of its order, and the count from stored counts.
 */
const isGathered = (search: ItemSearch): boolean =>
  !isCounted(search) || search.sort.some(({ property }) => property !== 'datetime')

/**
 * The beginning of a statement: a CTE `page` with the rows of the page, plus one if there is a next page, and their sort
 * columns; and an expression of the exact count of all matches.
 */
export function pageQuery(organization: string, search: ItemSearch): { page: Sql; matched: Sql } {
  const terms = sortTerms(search.sort)
  return isGathered(search) ? gatheredPage(organization, search, terms) : indexedPage(organization, search, terms)
}

/**
 * The exact count of items that start in the searched interval: stored counts for whole months, index-only scans for the
 * rest. Expired items that no sweep has marked are included there and subtracted: the expiry index finds those few.
 */
function countBegun(organization: string, search: ItemConditions): Sql {
  const { from, to, now } = search
  const kept = conditionsOf(organization, search, isKept(organization))
  const counted = (...more: Sql[]): Sql =>
    sql`(select count(*) from items i where ${sql.join([...kept, ...more], and)})`
  const since = from ? [sql`i.covers_from >= ${from}::timestamptz`] : []
  const until = to ? [sql`i.covers_from <= ${to}::timestamptz`] : []
  return sql`(${countKept(organization, search, counted, since, until)} - ${counted(isOverdue(now), ...since, ...until)})`
}

function countKept(
  organization: string,
  { projects, collections, from, to }: ItemConditions,
  counted: (...time: Sql[]) => Sql,
  since: readonly Sql[],
  until: readonly Sql[],
): Sql {
  if (!from && !to) return keptCount(organization, projects, collections)
  const months = wholeMonths(from, to)
  if (!months) return counted(...since, ...until)
  return sql`(${sql.join(
    [
      keptCountOfMonths(organization, projects, collections, months),
      ...(months.from ? [counted(...since, sql`i.covers_from < ${months.from}::timestamptz`)] : []),
      ...(months.before ? [counted(sql`i.covers_from >= ${months.before}::timestamptz`, ...until)] : []),
    ],
    sql` + `,
  )})`
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
    ${readable(search.projects)},
    found as materialized (select ${columnsOf(terms)} from items i where ${whereOf(organization, search)}),
    page as materialized (
      select p.* from found p ${after}
      order by ${orderOf(terms, aliases, sql`p.id`)} limit ${sql.integer(search.limit + 1)} offset ${search.offset})`
  return { page, matched: sql`(select count(*) from found)` }
}

function indexedPage(
  organization: string,
  search: ItemSearch,
  terms: readonly SortTerm[],
): { page: Sql; matched: Sql } {
  const aliases = aliasesOf(terms)
  const after = (expressions: Sql[], id: Sql): Sql[] =>
    search.after ? [afterCondition(terms, expressions, id, search.after)] : []
  const [begun = [], lasts] = spans(search)
  const lasting = lasts && [...conditionsOf(organization, search), ...lasts]
  const reach = search.offset === 0 ? sql.integer(search.limit + 1) : sql`${search.limit + 1 + search.offset}`
  const firstIn =
    (own: readonly SortTerm[], which: readonly Sql[]) =>
    (conditions: readonly Sql[]): Sql => {
      const values = expressionsOf(own)
      const where = [isFound(organization, search.now), ...which, ...conditions, ...begun, ...after(values, sql`i.id`)]
      return sql`
        select ${columnsOf(own)} from items i
        where ${sql.join(where, and)} order by ${orderOf(own, values, sql`i.id`)} limit ${reach}`
    }
  const list = (first: (conditions: readonly Sql[]) => Sql): Sql =>
    firstOf(organization, search.projects, search.collections, first)
  // Items whose datetime differs from their start have separate, nearly empty indexes.
  const listed =
    search.sort.length === 0
      ? list(firstIn(terms, []))
      : sql`(select l.* from ${list(firstIn(sortTerms(search.sort, datetimes.begun), [sql`not i.dated`]))} l
          union all
          select l.* from ${list(firstIn(sortTerms(search.sort, datetimes.dated), [sql`i.dated`]))} l)`
  const counted = countBegun(organization, search)
  const ordered = sql`order by ${orderOf(terms, aliases, sql`p.id`)} limit ${sql.integer(search.limit + 1)} offset ${search.offset}`
  if (!lasting) {
    const page = sql`${readable(search.projects)}, page as materialized (select p.* from ${listed} p ${ordered})`
    return { page, matched: counted }
  }
  const page = sql`
    ${readable(search.projects)},
    lasting as materialized (select ${columnsOf(terms)} from items i where ${sql.join(lasting, and)}),
    page as materialized (
      select p.* from (
        ${listed} union all
        select p.* from lasting p where ${sql.join([sql`true`, ...after(aliases, sql`p.id`)], and)}) p
      ${ordered})`
  return { page, matched: sql`(${counted} + (select count(*) from lasting))` }
}

/** A measured page of flat items with the count of all matches; an empty page is one row without an item. */
export function itemsStatement(organization: string, search: ItemSearch, part_bytes: number): Sql {
  const { page, matched } = pageQuery(organization, search)
  const terms = sortTerms(search.sort)
  const order = orderOf(terms, aliasesOf(terms), sql`p.id`)
  return sql`
    with ${page}
    select i.matched, i.organization_id, i.answer_bytes as bytes, i.whole, ${itemColumnsIf(sql`i.whole`)}
    from (
      select c.matched, i.*, ${answerBytes} as answer_bytes, sum(${answerBytes}) over () <= ${part_bytes} as whole,
        row_number() over (order by ${order}) as place
      from (select ${matched} as matched) c
      left join (select p.* from page p order by ${order} limit ${sql.integer(search.limit)}) p on true
      left join items i on i.organization_id = ${organization} and i.id = p.id) i
    order by i.place`
}

/**
 * For large search areas the best plan depends on their size, so those statements are not prepared. Items in the order of time are
 * read from an index whatever the interval is, so that one plan fits all searches without other conditions.
 */
const keptWhenUsual = createStatementKeeper()

const planned = (search: ItemSearch, statement: Sql): Sql => {
  if (!isNear(search)) return statement
  return keptWhenUsual(statement, isGathered(search) ? sql.kept : sql.generic)
}

/** True if the search cannot match anything. */
export const isNowhere = ({ boxes, ids, collections }: ItemConditions): boolean =>
  boxes?.length === 0 || ids?.length === 0 || collections?.length === 0

type Counted = MeasuredRow & { readonly matched: number }

const withoutCount = (row: Counted): MeasuredRow => {
  const { matched: _matched, ...item } = row
  return item
}

/** One measured page of items and the exact count of all matches. */
export async function searchItems(
  db: Queryable,
  organization: string,
  search: ItemSearch,
  sizes: PageSizes = pageSizes,
): Promise<{ page: MeasuredRow[]; matched: number }> {
  if (isNowhere(search)) return { page: [], matched: 0 }
  const found = await db.query<Counted>(planned(search, itemsStatement(organization, search, sizes.part_bytes)))
  return {
    matched: found[0]?.matched ?? 0,
    page: found.filter((row) => row.id !== null).map(withoutCount),
  }
}

/** A matching item with the size of its Feature, and its text; null if it is not cached, or the page is large. */
export interface FoundFeature {
  readonly id: string
  readonly bytes: number
  readonly feature: string | null
}

/** A measured page of STAC Features. */
export interface FoundFeatures {
  /** At most the requested number, fewer if the page would be too large. */
  readonly features: readonly FoundFeature[]
  /** False if they are too large to be read in the measuring statement. */
  readonly whole: boolean
  readonly matched: number
  /** Where the next page begins; null if there is none. */
  readonly next: Boundary | null
}

/** Adjusts the number of Features of a page that ends early. */
export type PageFit = (fitting: number) => number

/**
 * Features are measured before they are read, because they may exceed the memory; those that are not cached are estimated
 * from their item. An empty page is one row without an item.
 */
export function featuresStatement(
  organization: string,
  search: ItemSearch,
  part_bytes: number = pageSizes.part_bytes,
): Sql {
  const { page, matched } = pageQuery(organization, search)
  const terms = sortTerms(search.sort)
  return sql`
    with ${page},
    texts as materialized (
      select p.*,
        (select f.feature from item_features f
          where f.organization_id = ${organization} and f.item_id = p.id and f.revision = p.revision) as feature
      from page p),
    measured as materialized (
      select t.*, coalesce(
        octet_length(t.feature),
        (select ${answerBytes} from items i where i.organization_id = ${organization} and i.id = t.id)) as bytes
      from texts t)
    select c.matched, c.whole, p.id, p.bytes, case when c.whole then p.feature end as feature, ${termTexts(terms)}
    from (
      select ${matched} as matched,
        (select coalesce(sum(m.bytes), 0) from measured m) <= ${part_bytes} as whole) c
    left join measured p on true
    order by ${orderOf(terms, aliasesOf(terms), sql`p.id`)}`
}

interface FeaturesRow extends FoundFeature {
  readonly matched: number
  readonly whole: boolean
}

type MaybeFeaturesRow = Omit<FeaturesRow, 'id'> & { readonly id: string | null }

const nothing: FoundFeatures = { features: [], whole: true, matched: 0, next: null }

/** One page of STAC Features and the exact count of all matches. */
export async function searchFeatures(
  db: Queryable,
  organization: string,
  search: ItemSearch,
  fit: PageFit = (fitting) => fitting,
  sizes: PageSizes = pageSizes,
): Promise<FoundFeatures> {
  if (isNowhere(search)) return nothing
  const rows = await db.query<MaybeFeaturesRow>(
    planned(search, featuresStatement(organization, search, sizes.part_bytes)),
  )
  const [first] = rows
  if (!first) return nothing
  const { matched, whole } = first
  const found = rows.filter((row): row is FeaturesRow => row.id !== null)
  const asked = found.slice(0, search.limit)
  const fitting = whole ? asked.length : countFitting(asked, sizes.longest_bytes)
  const count = fitting < asked.length ? fit(fitting) : fitting
  const last = found[count - 1]
  const next = last && found.length > count ? boundaryAt(sortTerms(search.sort), last) : null
  return { features: found.slice(0, count), whole, matched, next }
}
