import { limits } from '@swath/contract/limits.ts'
import type { Geometry } from '@swath/contract/shapes/geojson.ts'
import { validationProblem, type Fault } from '../../engine/problem.ts'
import { readCql2 } from '../items/cql2/read.ts'
import { readStrictSpan } from '../items/datetime.ts'
import { boxOf, countPositions, geometryFault } from '../items/geometry.ts'
import { boxesOf, everything, sortOf, testsOf, type ReadSearch } from '../items/search.ts'
import type { PropertyTest } from '../items/store.property-tests.ts'
import { namedIn, refuseConflicts, type StacSearchInput } from './read-search.ts'

type Shared = Omit<StacSearchInput, 'ids' | 'collections' | 'intersects'>

/** The search parameters of the STAC API, as in the contract. */
export interface ApiSearchInput extends Shared {
  readonly collections?: readonly string[] | string | null
  readonly ids?: readonly string[] | string | null
  readonly intersects?: Geometry | null
  readonly query?: Readonly<Record<string, unknown>> | null
}

/**
 * Parses a search of the STAC API. Stricter than `stac.search`, as the standard requires: times are RFC 3339, the south of a
 * bbox is not greater than its north, and geometries are valid.
 */
export function readApiSearch(input: ApiSearchInput): ReadSearch {
  refuseConflicts(input)
  const faults: Fault[] = []
  const span = input.datetime ? readStrictSpan(input.datetime) : { from: null, to: null }
  if (typeof span === 'string') faults.push({ path: 'datetime', message: span })
  const box = input.bbox ? flatBox(input.bbox) : null
  if (box && box[1]! > box[3]!) faults.push({ path: 'bbox', message: 'has a south greater than its north' })
  const area = areaOf(input.intersects ?? null, faults)
  const tests = testsOf(input.query ?? {}, faults).flatMap(withNumbers)
  const sort = sortOf(input.sortby ?? [], faults)
  if (typeof span === 'string' || faults.length > 0) throw validationProblem(faults)
  const named = namedIn({ ids: listOf(input.ids), collections: listOf(input.collections) })
  const filter = input.filter ? readCql2(input.filter) : null
  return {
    ...everything,
    ...named,
    boxes: box && boxesOf(box),
    area,
    from: span.from,
    to: span.to,
    tests,
    filter,
    sort,
  }
}

const listOf = (value: readonly string[] | string | null | undefined): readonly string[] | null =>
  typeof value === 'string' ? value.split(',') : (value ?? null)

/** Drops the elevations of a bbox of six numbers. */
const flatBox = (bbox: readonly number[]): readonly number[] =>
  bbox.length === 6 ? [bbox[0]!, bbox[1]!, bbox[3]!, bbox[4]!] : bbox

function areaOf(geometry: Geometry | null, faults: Fault[]): ReadSearch['area'] {
  if (geometry === null) return null
  const fault = geometryFault(geometry, 'intersects')
  const positions = countPositions(geometry)
  if (fault) faults.push(fault)
  else if (positions > limits.stac_search_vertices) {
    const message = `has ${positions} positions, more than ${limits.stac_search_vertices}`
    faults.push({ path: 'intersects', message })
  }
  if (faults.length > 0) return null
  return { geojson: JSON.stringify(geometry), box: boxOf(geometry) }
}

const decimal = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const isNumeric = (value: unknown): value is string => typeof value === 'string' && decimal.test(value)

const numeric: ReadonlySet<PropertyTest['operator']> = new Set(['eq', 'lt', 'lte', 'gt', 'gte'])

/** Query strings have no numbers: a numeric text also compares with numbers. */
function withNumbers(test: PropertyTest): PropertyTest[] {
  const { operator, value } = test
  if (operator === 'in' && Array.isArray(value)) {
    return [{ ...test, value: [...value, ...value.filter(isNumeric).map(Number)] }]
  }
  if (!isNumeric(value)) return [test]
  const other = { ...test, value: Number(value) }
  if (operator === 'neq') return [test, other]
  return [numeric.has(operator) ? { ...test, or: other } : test]
}
