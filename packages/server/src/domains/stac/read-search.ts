import { limits } from '@swath/contract/limits.ts'
import type { Polygon } from '@swath/contract/shapes/geojson.ts'
import { Problem, validationProblem, type Fault } from '../../engine/problem.ts'
import { readCql2 } from '../items/cql2/read.ts'
import { boxOf, geometryFault } from '../items/geometry.ts'
import { boxesOf, everything, isText, sortOf, spanOf, type ReadSearch } from '../items/search.ts'
import { isUuid } from '../../platform/ids.ts'

/** The input of `stac.search`, as in the contract. */
export interface StacSearchInput {
  readonly collections?: readonly string[] | null
  readonly ids?: readonly string[] | null
  readonly datetime?: string | null
  readonly bbox?: readonly number[] | null
  readonly intersects?: Polygon | null
  readonly filter?: Readonly<Record<string, unknown>> | null
  readonly 'filter-lang'?: string | null
  readonly sortby?: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
}

/**
 * Parses a search. Errors are checked in this order: invalid texts and times (422), mutually exclusive parameters and an
 * unsupported filter language (400), the filter, the size of the polygon (422). An invalid geometry is not an error: it
 * matches nothing.
 */
export function readStacSearch(input: StacSearchInput): ReadSearch {
  const faults: Fault[] = []
  const span = spanOf(input.datetime, faults)
  const sort = sortOf(input.sortby ?? [], faults)
  if (faults.length > 0) throw validationProblem(faults)
  refuseConflicts(input)
  const filter = input.filter ? readCql2(input.filter) : null
  return { ...everything, ...namedIn(input), ...readShape(input), from: span.from, to: span.to, filter, sort }
}

/** Collection ids are UUIDs: other texts match no collection. */
export const namedIn = ({ ids, collections }: Pick<StacSearchInput, 'ids' | 'collections'>) => ({
  ids: ids ? ids.filter(isText) : null,
  collections: collections ? collections.filter((id) => isUuid(id)) : null,
})

type Conflicting = Pick<StacSearchInput, 'bbox' | 'filter' | 'filter-lang'> & { readonly intersects?: unknown }

/** Throws for mutually exclusive parameters and for an unsupported filter language. */
export function refuseConflicts(input: Conflicting): void {
  if (input.bbox && input.intersects) {
    throw new Problem('conflicting-parameters', 'Send `bbox` or `intersects`, not both.')
  }
  const language = input['filter-lang'] ?? 'cql2-json'
  if (input.filter && language !== 'cql2-json') {
    throw new Problem('unsupported-filter', 'The only supported filter language is `cql2-json`.')
  }
}

function readShape({ bbox, intersects }: StacSearchInput): Pick<ReadSearch, 'boxes' | 'area'> {
  if (bbox) return { boxes: boxesOf(bbox), area: null }
  if (!intersects) return { boxes: null, area: null }
  const vertices = intersects.coordinates.reduce((sum, ring) => sum + ring.length, 0)
  if (vertices > limits.stac_search_vertices) {
    const message = `has ${vertices} vertices, more than ${limits.stac_search_vertices}`
    throw validationProblem([{ path: 'intersects', message }])
  }
  if (geometryFault(intersects)) return { boxes: [], area: null }
  const { coordinates } = intersects
  return { boxes: null, area: { geojson: JSON.stringify({ type: 'Polygon', coordinates }), box: boxOf(intersects) } }
}
