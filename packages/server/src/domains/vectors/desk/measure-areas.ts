import { checkGeometry, type AreaGeometry } from '@swath/geo/geojson.ts'
import { overlapArea } from '@swath/geo/polygon-clip.ts'

/** A Polygon as it was sent, and the footprint that it is cut to. */
export interface AreaToMeasure {
  readonly geometry: unknown
  readonly footprint: AreaGeometry
}

export interface MeasureRequest {
  readonly areas: readonly AreaToMeasure[]
  readonly most_vertices: number
}

/** Square kilometres within the footprint, 0 where they do not meet; or why the geometry is not a valid area. */
export type MeasuredArea = { readonly km2: number } | { readonly fault: string }

/** Checks areas and measures them within their footprints, in the order of the request. */
export const measureAreas = ({ areas, most_vertices }: MeasureRequest): MeasuredArea[] =>
  areas.map(({ geometry: sent, footprint }) => {
    const { geometry, fault } = checkGeometry(sent, { most_vertices })
    return fault ? { fault: fault.reason } : { km2: overlapArea(geometry, footprint) }
  })
