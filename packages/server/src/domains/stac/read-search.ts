import { limits } from '@swath/contract/limits.ts'
import type { Polygon } from '@swath/contract/schemas/geojson.ts'
import { Problem, validationProblem, type FieldError } from '../../engine/problem.ts'
import { parseCql2 } from '../items/search/cql2/parse.ts'
import { parseStacCollectionIds } from '../items/stac/project-collection.ts'
import { computeGeometryBbox, validateGeometry } from '../items/geometry.ts'
import {
  splitBboxAtAntimeridian,
  unfilteredSearch,
  isStorableText,
  parseSortOrder,
  parseSearchInterval,
  type ParsedSearch,
} from '../items/search/search.ts'

/** The input of `stac.search`, as in the contract. */
export interface StacSearchInput {
  readonly collections?: readonly string[] | null
  readonly ids?: readonly string[] | null
  readonly datetime?: string | null
  readonly bbox?: readonly number[] | null
  readonly intersects?: Polygon | null
  readonly filter?: Readonly<Record<string, unknown>> | string | null
  readonly 'filter-lang'?: string | null
  readonly sortby?: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
}

/**
 * Parses a search. Errors are checked in this order: invalid texts and times (422), mutually exclusive parameters and an
 * unsupported filter language (400), the filter, the size of the polygon (422). An invalid geometry is not an error: it
 * matches nothing.
 */
export function parseStacSearch(input: StacSearchInput): ParsedSearch {
  const errors: FieldError[] = []
  const interval = parseSearchInterval(input.datetime, errors)
  const sort = parseSortOrder(input.sortby ?? [], errors)
  if (errors.length > 0) throw validationProblem(errors)
  rejectConflictingSearchParameters(input)
  const filter = parseFilter(input.filter)
  return {
    ...unfilteredSearch,
    ...filterValidCollectionIds(input),
    ...parseSpatialFilter(input),
    from: interval.from,
    to: interval.to,
    filter,
    sort,
  }
}

/** The parsed filter; null without one. Throws `validation` for a text, which is in another language. */
export function parseFilter(filter: StacSearchInput['filter']): ParsedSearch['filter'] {
  if (typeof filter === 'string')
    throw validationProblem([{ path: 'filter', message: 'must be an object of CQL2 JSON, not a text' }])
  return filter ? parseCql2(filter) : null
}

/** The ids that can match. */
export const filterValidCollectionIds = ({ ids, collections }: Pick<StacSearchInput, 'ids' | 'collections'>) => ({
  ids: ids ? ids.filter(isStorableText) : null,
  collections: collections ? parseStacCollectionIds(collections) : null,
})

type ConflictingParameters = Pick<StacSearchInput, 'bbox' | 'filter' | 'filter-lang'> & {
  readonly intersects?: unknown
}

/** Throws for mutually exclusive parameters and for an unsupported filter language. */
export function rejectConflictingSearchParameters(input: ConflictingParameters): void {
  if (input.bbox && input.intersects) {
    throw new Problem('conflicting-parameters', 'Send `bbox` or `intersects`, not both.')
  }
  const language = input['filter-lang'] ?? 'cql2-json'
  if (input.filter && language !== 'cql2-json') {
    throw new Problem('unsupported-filter', 'The only supported filter language is `cql2-json`.')
  }
}

function parseSpatialFilter({ bbox, intersects }: StacSearchInput): Pick<ParsedSearch, 'boxes' | 'area'> {
  if (bbox) return { boxes: splitBboxAtAntimeridian(bbox), area: null }
  if (!intersects) return { boxes: null, area: null }
  const vertices = intersects.coordinates.reduce((sum, ring) => sum + ring.length, 0)
  if (vertices > limits.max_stac_search_vertices) {
    const message = `has ${vertices} vertices, more than ${limits.max_stac_search_vertices}`
    throw validationProblem([{ path: 'intersects', message }])
  }
  if (validateGeometry(intersects)) return { boxes: [], area: null }
  const { coordinates } = intersects
  return {
    boxes: null,
    area: { geojson: JSON.stringify({ type: 'Polygon', coordinates }), box: computeGeometryBbox(intersects) },
  }
}
