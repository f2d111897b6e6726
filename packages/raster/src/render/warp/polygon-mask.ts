import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { tileBoundsMetres } from '@swath/geo/tile-grid.ts'
import type { Tile } from '@swath/geo/tile-grid.ts'
import { degreesToMetres, metresToDegrees } from '@swath/geo/web-mercator.ts'
import { computeRingExtent } from '../../compute/areas/clip-ring.ts'
import type { LonLatBox } from '../../compute/areas/clip-ring.ts'
import { buildAreaEdges } from '../../compute/areas/edges.ts'
import { densifyRingToPixels } from '../../compute/areas/densify-ring.ts'
import type { CoordinatesToPixels } from '../../compute/areas/local-projection.ts'
import { clipShiftedRing, toOutlineRings, longitudeShifts_deg, type OutlineRing } from '../../compute/areas/outline.ts'
import { findPixelSpansOfRow, startAreaRowScan } from '../../compute/areas/row-spans.ts'

/** Margin around a tile, as a part of its size, so that no line along its edge is visible. */
const margin_fraction = 0.1
/** Maximum distance, in pixels, between a line that is straight in degrees and its approximation. */
const tolerance_pixels = 0.0005
/** Poles are infinitely far in Web Mercator. */
const last_latitude = 89.99

/**
 * Clears the mask of the pixels of a Web Mercator tile, `size` pixels wide and high, whose centre is outside an area, by the
 * even-odd rule over all its rings. Areas repeat on both sides of the 180° meridian. Pixels inside are unchanged.
 *
 * @throws RasterFailure `request` for a geometry other than polygons.
 */
export const maskTileOutsideArea = (mask: Uint8Array, size: number, tile: Tile, area: AreaGeometry): void =>
  createTileMasker(area)(mask, size, tile)

/** The same for many tiles of an area, whose polygons are united once. */
export function createTileMasker(area: AreaGeometry): (mask: Uint8Array, size: number, tile: Tile) => void {
  const rings = toOutlineRings(area).map((ring) => ({ ring, extent: computeRingExtent(ring.points) }))
  return (mask, size, tile) => maskTileOutsideRings(mask, size, tile, rings)
}

type PlacedRing = { readonly ring: OutlineRing; readonly extent: LonLatBox }

function maskTileOutsideRings(mask: Uint8Array, size: number, tile: Tile, rings: readonly PlacedRing[]): void {
  const [west, south, , north] = tileBoundsMetres(tile)
  const step = (north - south) / size
  const toPixel: CoordinatesToPixels = (longitude, latitude) => {
    const [x, y] = degreesToMetres(longitude, latitude)
    return [(x - west) / step, (north - y) / step]
  }
  const box = degreesAround(tile)
  const inside = new Uint8Array(mask.length)
  // An area may be more than once around the Earth: its copies lie over each other.
  for (const turn of longitudeShifts_deg) {
    const outline = rings.flatMap(({ ring, extent }) => clipShiftedRing(ring, extent, turn, box))
    const edges = buildAreaEdges(
      outline.map((ring) => ({ ...ring, points: densifyRingToPixels(ring.points, toPixel, tolerance_pixels) })),
    )
    const walk = startAreaRowScan(edges, size)
    for (let row = 0; row < size && edges.count > 0; row++) {
      const spans = findPixelSpansOfRow(walk, row)
      for (let at = 0; at < spans.length; at += 2) inside.fill(1, row * size + spans[at]!, row * size + spans[at + 1]!)
    }
  }
  for (let i = 0; i < mask.length; i++) mask[i]! &= -inside[i]!
}

function degreesAround(tile: Tile): LonLatBox {
  const [left, bottom, right, top] = tileBoundsMetres(tile)
  const margin = (right - left) * margin_fraction
  const [west, south] = metresToDegrees(left - margin, bottom - margin)
  const [east, north] = metresToDegrees(right + margin, top + margin)
  return { west, south: Math.max(-last_latitude, south), east, north: Math.min(last_latitude, north) }
}
