import { checkGeometry, type AreaGeometry } from '@swath/geo/geojson.ts'
import { overlapArea } from '@swath/geo/polygon-clip.ts'

/** An unvalidated area, and the footprint that it is clipped to. */
export interface AreaToMeasure {
  readonly geometry: unknown
  readonly footprint: AreaGeometry
}

export interface MeasureRequest {
  readonly areas: readonly AreaToMeasure[]
  readonly most_vertices: number
}

/**
 * The square kilometres within the footprint, 0 if they do not intersect; or the reason why the geometry is not a valid
 * area.
 */
export type MeasuredArea = { readonly km2: number } | { readonly fault: string }

/** Validates areas and measures them within their footprints, in the order of the request. */
export const measureAreas = ({ areas, most_vertices }: MeasureRequest): MeasuredArea[] =>
  areas.map(({ geometry: sent, footprint }) => {
    const { geometry, fault } = checkGeometry(sent, { most_vertices })
    return fault ? { fault: fault.reason } : { km2: overlapArea(geometry, footprint) }
  })
