import { findLongitudeCount, unwrapNear } from '../../formats/crs/longitude-wrap.ts'
import { isSameCrs } from '../../render/warp/warp-grid.ts'
import type { TargetGrid } from '../../render/warp/warp-grid.ts'
import type { Raster } from '../../types.ts'
import { computeExtentInCrs, computeGridExtent, toRasterGrid } from './suggest-warp-grid.ts'

type Box = ReturnType<typeof computeGridExtent>

/**
 * The extents of rasters in the system of the first one. Where x counts longitude, those that lie closer across the 180°
 * meridian are counted on beyond it.
 */
export function listMosaicExtents(rasters: readonly Raster[]): readonly Box[] {
  const first = rasters[0]!
  const boxes = rasters.map((raster) =>
    isSameCrs(raster.crs, first.crs) ? computeGridExtent(toRasterGrid(raster)) : computeExtentInCrs(raster, first.crs),
  )
  const count = findLongitudeCount(first.crs)
  if (!count) return boxes
  const middle = middleOf(boxes[0]!)
  const turned = boxes.map((box) => shiftBox(box, unwrapNear(middle, middleOf(box), count.turn) - middleOf(box)))
  return widthOf(turned) < widthOf(boxes) ? turned : boxes
}

const middleOf = ({ left, right }: Box): number => (left + right) / 2

const widthOf = (boxes: readonly Box[]): number =>
  Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left))

const shiftBox = (box: Box, shift: number): Box => ({ ...box, left: box.left + shift, right: box.right + shift })

/** A raster in the system of a grid, counted where the grid counts it. */
export function shiftToGrid(raster: Raster, grid: TargetGrid): Raster {
  const count = isSameCrs(raster.crs, grid.crs) ? findLongitudeCount(grid.crs) : null
  if (!count) return raster
  const middle = middleOf(computeGridExtent(toRasterGrid(raster)))
  const shift = unwrapNear(middleOf(computeGridExtent(grid)), middle, count.turn) - middle
  const [x, ...rest] = raster.affine
  return shift === 0 ? raster : { ...raster, affine: [x + shift, ...rest] }
}
