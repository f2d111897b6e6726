import { sql, type Sql } from '../../../platform/database/sql.ts'
import { isSmallAreaSearch } from './store.spatial.ts'
import {
  afterCursorCondition,
  buildSortColumnReferences,
  datetimeSortExpressions,
  buildSortExpressions,
  buildOrderByList,
  buildSortTerms,
  buildSortTermColumns,
  buildSortColumnTexts,
  type SortTerm,
} from './store.sort.ts'
import {
  type ItemSearch,
  andSql,
  itemFilterConditions,
  timeIntervalConditions,
  visibleItemCondition,
  itemSearchCondition,
  isCountableFromStoredCounts,
} from './store.search-conditions.ts'
import { countItemsBeginningInInterval } from './store.search-counts.ts'
import { defaultPageByteLimits } from './page-size.ts'
import { selectFirstRowsOfProjects, presumedProjectAccessCondition, withReadableProjects } from './store.scope.ts'
import { itemResponseBytesSql, itemColumnsIf } from '../store.ts'

/**
 * True if all matches are materialized before sorting and counting: best for selective or expensive conditions. Otherwise
 * the page is read from the index of its order, and the count from stored counts.
 */
const materializeFirst = (search: ItemSearch): boolean =>
  !isCountableFromStoredCounts(search) || search.sort.some(({ property }) => property !== 'datetime')

/**
 * The beginning of a statement, from `with`: a CTE `page` with the rows of the page, plus one if there is a next page, and their sort
 * columns; and an expression of the exact count of all matches.
 */
export function searchPageQuery(organization: string, search: ItemSearch): { page: Sql; matched: Sql } {
  const terms = buildSortTerms(search.sort)
  return materializeFirst(search)
    ? materializedPage(organization, search, terms)
    : indexedPage(organization, search, terms)
}

/** Not bound for a first page, whose statement is a template: a template binds nothing but its parameters. */
const offsetOf = ({ offset }: ItemSearch): Sql | number => (offset === 0 ? sql.integer(0) : offset)

const pageColumns = (terms: readonly SortTerm[]): Sql => sql`i.id, i.revision, ${buildSortTermColumns(terms)}`

function materializedPage(
  organization: string,
  search: ItemSearch,
  terms: readonly SortTerm[],
): { page: Sql; matched: Sql } {
  const aliases = buildSortColumnReferences(terms)
  const after = search.after ? sql`where ${afterCursorCondition(terms, aliases, sql`p.id`, search.after)}` : sql.empty
  const page = sql`
    ${withReadableProjects(search.projects)}
    found as materialized (select ${pageColumns(terms)} from items i where ${itemSearchCondition(organization, search)}),
    page as materialized (
      select p.* from found p ${after}
      order by ${buildOrderByList(terms, aliases, sql`p.id`)} limit ${sql.integer(search.limit + 1)} offset ${offsetOf(search)})`
  return { page, matched: sql`(select count(*) from found)` }
}

function indexedPage(
  organization: string,
  search: ItemSearch,
  terms: readonly SortTerm[],
): { page: Sql; matched: Sql } {
  const aliases = buildSortColumnReferences(terms)
  const after = (expressions: Sql[], id: Sql): Sql[] =>
    search.after ? [afterCursorCondition(terms, expressions, id, search.after)] : []
  const [beginCondition = [], lastingCondition] = timeIntervalConditions(search)
  const lastingConditions = lastingCondition && [...itemFilterConditions(organization, search), ...lastingCondition]
  const rowLimit = search.offset === 0 ? sql.integer(search.limit + 1) : sql`${search.limit + 1 + search.offset}`
  const firstRowsIn =
    (sortTermsOfIndex: readonly SortTerm[], extraConditions: readonly Sql[]) =>
    (conditions: readonly Sql[]): Sql => {
      const values = buildSortExpressions(sortTermsOfIndex)
      const where = [
        visibleItemCondition(organization, search.now),
        ...extraConditions,
        ...conditions,
        ...beginCondition,
        ...after(values, sql`i.id`),
      ]
      return sql`
        select ${pageColumns(sortTermsOfIndex)} from items i
        where ${sql.join(where, andSql)} order by ${buildOrderByList(sortTermsOfIndex, values, sql`i.id`)} limit ${rowLimit}`
    }
  const listFromIndexes = (first: (conditions: readonly Sql[]) => Sql): Sql =>
    selectFirstRowsOfProjects(organization, search.projects, search.collections, first)
  // Items whose datetime differs from their start have separate, nearly empty indexes.
  const listed =
    search.sort.length === 0
      ? listFromIndexes(firstRowsIn(terms, []))
      : sql`(select l.* from ${listFromIndexes(firstRowsIn(buildSortTerms(search.sort, datetimeSortExpressions.undated), [sql`not i.dated`]))} l
          union all
          select l.* from ${listFromIndexes(firstRowsIn(buildSortTerms(search.sort, datetimeSortExpressions.dated), [sql`i.dated`]))} l)`
  const countQuery = countItemsBeginningInInterval(organization, search)
  const ordered = sql`order by ${buildOrderByList(terms, aliases, sql`p.id`)} limit ${sql.integer(search.limit + 1)} offset ${offsetOf(search)}`
  if (!lastingConditions) {
    const page = sql`${withReadableProjects(search.projects)} page as materialized (select p.* from ${listed} p ${ordered})`
    return { page, matched: countQuery }
  }
  const page = sql`
    ${withReadableProjects(search.projects)}
    lasting as materialized (select ${pageColumns(terms)} from items i where ${sql.join(lastingConditions, andSql)}),
    page as materialized (
      select p.* from (
        ${listed} union all
        select p.* from lasting p where ${sql.join([sql`true`, ...after(aliases, sql`p.id`)], andSql)}) p
      ${ordered})`
  return { page, matched: sql`(${countQuery} + (select count(*) from lasting))` }
}

/** A measured page of flat items with the count of all matches; an empty page is one row without an item. */
export function itemSearchStatement(organization: string, search: ItemSearch, part_bytes: number): Sql {
  const { page, matched } = searchPageQuery(organization, search)
  const terms = buildSortTerms(search.sort)
  const order = buildOrderByList(terms, buildSortColumnReferences(terms), sql`p.id`)
  return sql`
    ${page}
    select ${matched} as matched, i.organization_id, i.answer_bytes as bytes, i.whole, ${itemColumnsIf(sql`i.whole`)}
    from (
      select m.*, sum(m.answer_bytes) over () <= ${part_bytes} as whole
      from (
        select i.*, ${itemResponseBytesSql} as answer_bytes, row_number() over (order by ${order}) as place
        from (select 1) one
        left join (select p.* from page p order by ${order} limit ${sql.integer(search.limit)}) p on true
        left join items i on i.organization_id = ${organization} and i.id = p.id) m) i
    where ${presumedProjectAccessCondition(search.projects)}
    order by i.place`
}

/** True if an index selects the rows of the search: by ids, by area or by the start of an interval. */
const isSelectedByIndex = ({ ids, boxes, area, from }: ItemSearch): boolean =>
  ids !== null || boxes !== null || area !== null || from !== null

/**
 * For large search areas the best plan depends on their size, so those statements are not prepared. Items in the order of time are
 * read from an index whatever the interval is, so that one plan fits all searches without other conditions. A search that reads
 * all items of the organization is planned with its values, since the number of rows decides whether it runs in parallel: a
 * cached plan assumes that of an average organization.
 *
 * Cached plans are generic. PostgreSQL estimates that one costs as much as all partitions of items together, and would
 * plan each execution anew, although it looks into one partition as well.
 */
export const chooseSearchPreparationMode = (search: ItemSearch, statement: Sql): Sql =>
  isSmallAreaSearch(search) && (!materializeFirst(search) || isSelectedByIndex(search))
    ? sql.genericWhenFrequent(statement)
    : statement

/**
 * Features are measured before they are read, because they may exceed the memory; those that are not cached are estimated
 * from their item. An empty page is one row without an item.
 */
export function featureSearchStatement(
  organization: string,
  search: ItemSearch,
  part_bytes: number = defaultPageByteLimits.part_bytes,
): Sql {
  const { page, matched } = searchPageQuery(organization, search)
  const terms = buildSortTerms(search.sort)
  const order = buildOrderByList(terms, buildSortColumnReferences(terms), sql`p.id`)
  // The last row only shows that there is a next page: its Feature is not returned.
  return sql`
    ${page},
    texts as materialized (
      select f.*, coalesce(
        octet_length(f.feature),
        (select ${itemResponseBytesSql} from items i where i.organization_id = ${organization} and i.id = f.id)) as bytes
      from (
        select p.*, (
          select f.feature from item_features f
          where f.organization_id = ${organization} and f.item_id = p.id and f.revision = p.revision) as feature
        from page p offset 0) f)
    select ${matched} as matched, p.whole, p.id, p.bytes,
      case when p.whole and p.place <= ${sql.integer(search.limit)} then p.feature end as feature, ${buildSortColumnTexts(terms)}
    from (
      select p.*, coalesce(sum(p.bytes) over (), 0) <= ${part_bytes} as whole, row_number() over (order by ${order}) as place
      from (select 1) one left join texts p on true) p
    where ${presumedProjectAccessCondition(search.projects)}
    order by ${order}`
}
