import { type AreaGeometry } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import { overlapArea_km2 } from '@swath/geo/polygon-clip.ts'

/** An unvalidated area, and the footprint that it is clipped to. */
export interface AreaWithFootprint {
  readonly geometry: unknown
  readonly footprint: AreaGeometry
}

export interface AreaMeasureRequest {
  readonly areas: readonly AreaWithFootprint[]
  readonly max_vertices: number
}

/**
 * The square kilometres within the footprint, 0 if they do not intersect; or the reason why the geometry is not a valid
 * area.
 */
export type MeasuredArea = { readonly km2: number } | { readonly fault: string }

/** Validates areas and measures them within their footprints, in the order of the request. */
export const measureAreasInFootprints = ({ areas, max_vertices }: AreaMeasureRequest): MeasuredArea[] =>
  areas.map(({ geometry: input, footprint }) => {
    const { geometry, error } = validateAreaGeometry(input, { max_vertices })
    return error ? { fault: error.reason } : { km2: overlapArea_km2(geometry, footprint) }
  })
