import type { createTileMasker, PixelBlock } from '@swath/raster'
import type { Tile } from '@swath/geo/tile-grid.ts'
import { computeTileRowWeights } from './aoi-tiles.ts'

/** The class of a pixel, by its samples in the order of the bands. */
export type CloudPixelClass = 'fill' | 'clear' | 'cloud' | 'haze'

/** Areas on the Earth, in units that are the same within one measurement. */
export type CloudTotals = Record<CloudPixelClass | 'area', number>

export const createCloudTotals = (): CloudTotals => ({ area: 0, fill: 0, clear: 0, cloud: 0, haze: 0 })

export interface CloudPercentages {
  readonly measured_percent: number
  /** Null without pixels. */
  readonly cloud_percent: number | null
  readonly haze_percent: number | null
}

/** A percentage with two decimals. */
export const roundToPercent = (fraction: number): number =>
  Math.round(Math.min(1, Math.max(0, fraction)) * 10_000) / 100

/** Haze is only what a mask states. */
export function toCloudPercentages(totals: CloudTotals, states_haze: boolean): CloudPercentages {
  const measured = totals.clear + totals.cloud + totals.haze
  const share = (part: number): number | null => (measured > 0 ? roundToPercent(part / measured) : null)
  return {
    measured_percent: totals.area > 0 ? roundToPercent(measured / totals.area) : 0,
    cloud_percent: share(totals.cloud),
    haze_percent: states_haze ? share(totals.haze) : null,
  }
}

/** Masks what of a tile is outside of the area. */
type TileMasker = ReturnType<typeof createTileMasker>

export interface CloudCountArea {
  readonly maskTile: TileMasker
  readonly classify: (samples: readonly number[]) => CloudPixelClass
}

/** Adds the pixels of a tile within an area to the totals. */
export function countCloudInTile(
  totals: CloudTotals,
  tile: Tile,
  blocks: readonly PixelBlock[],
  { maskTile, classify }: CloudCountArea,
): void {
  const valid = (pixel: number): boolean => blocks.every(({ mask }) => mask[pixel] !== 0)
  forEachPixelInArea(tile, maskTile, blocks[0]!.width, (pixel, weight) => {
    totals.area += weight
    if (valid(pixel)) totals[classify(blocks.map(({ data }) => data[pixel]!))] += weight
  })
}

/** Calls back for the pixels of a square tile within an area, with their size on the Earth. */
export function forEachPixelInArea(
  tile: Tile,
  maskTile: TileMasker,
  size: number,
  use: (pixel: number, weight: number) => void,
): void {
  const inside = new Uint8Array(size * size).fill(255)
  maskTile(inside, size, tile)
  const weights = computeTileRowWeights(tile)
  for (let pixel = 0; pixel < inside.length; pixel += 1)
    if (inside[pixel] !== 0) use(pixel, weights[Math.floor(pixel / size)]!)
}
