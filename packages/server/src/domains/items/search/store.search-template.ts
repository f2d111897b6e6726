import { sql, type Sql } from '../../../platform/database/sql.ts'
import { wholeMonths } from '../retention/whole-months.ts'
import { hasOnlyTimeAndArea, type ItemSearch } from './store.search-conditions.ts'
import { isNarrowSearch } from './store.spatial.ts'
import { featureSearchStatement, prepareIfNarrow } from './store.search-statements.ts'

/**
 * The sort order as text if a search is of the most frequent kind: the first page of an interval or of an area in the order of
 * time, of all projects and collections. Null for others, whose statements have unlimited shapes.
 */
function describeFrequentSearch(search: ItemSearch): string | null {
  const { sort, collections, offset, after, limit } = search
  if (collections !== null || offset !== 0 || after !== null) return null
  if (!hasOnlyTimeAndArea(search) || !isNarrowSearch(search)) return null
  let text = `features, at most ${limit},`
  for (const { property, direction } of sort) {
    if (property !== 'datetime') return null
    text += ` ${direction}`
  }
  return text
}

/**
 * The statement of a page of Features. To compose that of an interval from its hundred fragments takes as long as
 * PostgreSQL needs to find its rows, so its text is cached.
 */
export function featureSearchQuery(organization: string, search: ItemSearch, part_bytes: number): Sql {
  const { projects } = search
  const shape = 'presumed' in projects ? describeFrequentSearch(search) : null
  if (shape === null || !('presumed' in projects))
    return prepareIfNarrow(search, featureSearchStatement(organization, search, part_bytes))
  const months = wholeMonths(search.from, search.to)
  const parameters = {
    organization,
    presumed: projects.presumed,
    now: search.now,
    from: search.from,
    to: search.to,
    geojson: search.area?.geojson ?? null,
    months_from: months?.from ?? null,
    months_before: months?.before ?? null,
    part_bytes,
  }
  return sql.template(months === null ? `${shape} no whole month` : shape, parameters, (values) => {
    const { now, from, to, presumed, geojson } = values
    // Only the size of its box is in the text, which is small.
    const area = search.area && geojson !== null ? { ...search.area, geojson } : null
    const whole = months && { from: values.months_from, before: values.months_before }
    const templated = { ...search, now, from, to, area, months: whole, projects: { presumed } }
    return prepareIfNarrow(search, featureSearchStatement(values.organization, templated, values.part_bytes))
  })
}
