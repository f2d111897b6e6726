import { limits } from '@swath/contract/limits.ts'
import type { Geometry } from '@swath/contract/schemas/geojson.ts'
import { isPlainObject } from '../../engine/input/schema-transform.ts'
import { validationProblem, type FieldError } from '../../engine/problem.ts'
import type { Cql2Filter } from '../items/search/cql2/ast.ts'
import { parseFreeText, toFreeTextFilter } from './free-text.ts'
import { parseCql2 } from '../items/search/cql2/parse.ts'
import { parseStrictTimeInterval } from '../items/datetime.ts'
import { computeGeometryBbox, countPositions, validateGeometry } from '../items/geometry.ts'
import {
  splitBboxAtAntimeridian,
  unfilteredSearch,
  parseSortOrder,
  parseQueryConditions,
  type ParsedSearch,
} from '../items/search/search.ts'
import type { PropertyCondition } from '../items/search/store.property-conditions.ts'
import {
  filterValidCollectionIds,
  parseFilter,
  rejectConflictingSearchParameters,
  type StacSearchInput,
} from './read-search.ts'

type SharedSearchInput = Omit<StacSearchInput, 'ids' | 'collections' | 'intersects'>

/** The search parameters of the STAC API, as in the contract. */
export interface StacApiSearchInput extends SharedSearchInput {
  readonly collections?: readonly string[] | string | null
  readonly ids?: readonly string[] | string | null
  readonly intersects?: Geometry | null
  readonly query?: Readonly<Record<string, unknown>> | null
  readonly q?: readonly string[] | string | null
}

/**
 * Parses a search of the STAC API. Stricter than `stac.search`, as the standard requires: times are RFC 3339, the south of a
 * bbox is not greater than its north, and geometries are valid.
 */
export function parseStacApiSearch(input: StacApiSearchInput): ParsedSearch {
  rejectConflictingSearchParameters(input)
  const errors: FieldError[] = []
  const interval = input.datetime ? parseStrictTimeInterval(input.datetime) : { from: null, to: null }
  if (typeof interval === 'string') errors.push({ path: 'datetime', message: interval })
  const bbox = input.bbox ? toFlatBbox(input.bbox) : null
  if (bbox && bbox[1]! > bbox[3]!) errors.push({ path: 'bbox', message: 'has a south greater than its north' })
  const area = parseIntersects(input.intersects ?? null, errors)
  const conditions = parseQueryConditions(input.query ?? {}, errors).flatMap(withNumericAlternative)
  const sort = parseSortOrder(input.sortby ?? [], errors)
  if (typeof interval === 'string' || errors.length > 0) throw validationProblem(errors)
  const idFilters = filterValidCollectionIds({ ids: splitNames(input.ids), collections: splitNames(input.collections) })
  const filter = withFreeText(parseFilter(unwrapFilter(input.filter)), input.q)
  return {
    ...unfilteredSearch,
    ...idFilters,
    boxes: bbox && splitBboxAtAntimeridian(bbox),
    area,
    from: interval.from,
    to: interval.to,
    tests: conditions,
    filter,
    sort,
  }
}

/** The filter and the free text, both of which have to hold. */
function withFreeText(filter: Cql2Filter | null, q: StacApiSearchInput['q']): Cql2Filter | null {
  const texts = parseFreeText(q)
  if (texts === null) return filter
  const textFilter = parseCql2(toFreeTextFilter(texts))
  return filter === null ? textFilter : { is: 'and', of: [filter, textFilter] }
}

/** Clients of the second generation send an object around their filter, with limits of their own. */
function unwrapFilter(filter: SharedSearchInput['filter']): SharedSearchInput['filter'] {
  if (!isPlainObject(filter) || 'op' in filter) return filter
  const { filter: inner } = filter
  return isPlainObject(inner) ? inner : filter
}

/** Names, which query strings have as one text. */
export const splitNames = (value: readonly string[] | string | null | undefined): readonly string[] | null =>
  typeof value === 'string' ? value.split(',') : (value ?? null)

/** Drops the elevations of a bbox of six numbers. */
export const toFlatBbox = (bbox: readonly number[]): readonly number[] =>
  bbox.length === 6 ? [bbox[0]!, bbox[1]!, bbox[3]!, bbox[4]!] : bbox

function parseIntersects(geometry: Geometry | null, errors: FieldError[]): ParsedSearch['area'] {
  if (geometry === null) return null
  const error = validateGeometry(geometry, 'intersects')
  const positions = countPositions(geometry)
  if (error) errors.push(error)
  else if (positions > limits.max_stac_search_vertices) {
    const message = `has ${positions} positions, more than ${limits.max_stac_search_vertices}`
    errors.push({ path: 'intersects', message })
  }
  if (errors.length > 0) return null
  return { geojson: JSON.stringify(geometry), box: computeGeometryBbox(geometry) }
}

const decimal = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const isNumeric = (value: unknown): value is string => typeof value === 'string' && decimal.test(value)

const numericOperators: ReadonlySet<PropertyCondition['operator']> = new Set(['eq', 'lt', 'lte', 'gt', 'gte'])

/** Query strings have no numbers: a numeric text also compares with numbers. */
function withNumericAlternative(test: PropertyCondition): PropertyCondition[] {
  const { operator, value } = test
  if (operator === 'in' && Array.isArray(value)) {
    return [{ ...test, value: [...value, ...value.filter(isNumeric).map(Number)] }]
  }
  if (!isNumeric(value)) return [test]
  const numericCondition = { ...test, value: Number(value) }
  if (operator === 'neq') return [test, numericCondition]
  return [numericOperators.has(operator) ? { ...test, or: numericCondition } : test]
}
