import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { overlayPolygons, measureFootprintCover } from '@swath/geo/polygon-clip.ts'

export interface Cover {
  readonly percent: number
  readonly km2: number
  /** The part of the area that is covered; null if none is. */
  readonly geometry: AreaGeometry | null
}

const toPercent = (part: number, whole: number): number => (whole === 0 ? 0 : 100 * (part / whole))

/** The part of an area that the footprints cover together, 0 to 1. */
export function computeCover(area: AreaGeometry, footprints: readonly AreaGeometry[]): Cover {
  const { covered_km2, total_km2 } = measureFootprintCover(area, footprints)
  return {
    percent: toPercent(covered_km2, total_km2),
    km2: covered_km2,
    geometry: overlayPolygons(
      [area, ...footprints],
      ([isInArea, ...covering]) => isInArea === true && covering.includes(true),
    ),
  }
}

/** The covered part of an area and its cloud in a scene, in percent. */
export interface PartInArea {
  readonly covered: number
  /** Bounds of the cloud over the covered part; equal if it is certain. Null if they are too wide to be useful. */
  readonly cloud: readonly [least: number, most: number] | null
}

/** Bounds that are wider apart than this say nothing. */
const widest_bounds = 99.5

/**
 * The part of an area that a scene covers, and the maximum cloud cover of that part. A host says only the cloud of the whole
 * scene: a part of it is clear if the scene is, and a small one can have all of the cloud, or none.
 */
export function measureInArea(area: AreaGeometry, footprint: AreaGeometry, cloud: number | null): PartInArea {
  const { covered_km2, total_km2 } = measureFootprintCover(area, [footprint])
  const part = Math.min(1, covered_km2 / geometryArea_km2(footprint))
  return {
    covered: toPercent(covered_km2, total_km2),
    cloud: cloud === null || part === 0 ? null : boundCloud(cloud, part),
  }
}

function boundCloud(cloud: number, part: number): PartInArea['cloud'] {
  const least = Math.max(0, 100 - (100 - cloud) / part)
  const most = Math.min(100, cloud / part)
  return most - least > widest_bounds ? null : [least, most]
}

/** Square kilometres that the footprints cover, each part once. */
export function unionArea_km2(footprints: readonly AreaGeometry[]): number {
  const union = overlayPolygons(footprints, (present) => present.includes(true))
  return union ? geometryArea_km2(union) : 0
}
