import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { overlayPolygons } from '@swath/geo/polygon-clip.ts'

/** An ordered area, which counts only within its footprint. */
export interface OrderedArea {
  readonly area: AreaGeometry
  readonly footprint: AreaGeometry
  readonly isDelivered: boolean
}

export interface MeasuredCoveragePart {
  readonly km2: number
  readonly geometry: AreaGeometry | null
}

export interface MeasuredCoverage {
  readonly covered: MeasuredCoveragePart
  readonly remainder: MeasuredCoveragePart
}

/** Measures the delivered and the missing part of the ordered areas; overlapping areas count once. */
export function measureDeliveredCoverage(areas: readonly OrderedArea[]): MeasuredCoverage {
  const geometries = areas.flatMap(({ area, footprint }) => [area, footprint])
  const isInside = (present: readonly boolean[], isDelivered: boolean): boolean =>
    areas.some((one, at) => one.isDelivered === isDelivered && present[2 * at] === true && present[2 * at + 1] === true)
  const measure = (geometry: AreaGeometry | null): MeasuredCoveragePart => ({
    km2: geometry ? geometryArea_km2(geometry) : 0,
    geometry,
  })
  return {
    covered: measure(overlayPolygons(geometries, (present) => isInside(present, true))),
    remainder: measure(overlayPolygons(geometries, (present) => isInside(present, false) && !isInside(present, true))),
  }
}
