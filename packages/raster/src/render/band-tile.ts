import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { maskTileOutsideArea } from './warp/polygon-mask.ts'
import { default_tile_budget_bytes, readTile } from './warp/tile.ts'
import { findSmallestCommonSampleType, getSampleTypeOfArray, sampleTypeProperties } from '../sample-types.ts'
import type { PixelBlock, Raster, SampleArray, TileRequest } from '../types.ts'
import { encodeStyled } from './render-tile.ts'
import type { RenderOptions } from './render-tile.ts'

/** One band of one of several rasters. */
export interface BandOfRaster {
  readonly raster: number
  readonly band: number
}

export interface BandTileRequest extends Omit<TileRequest, 'bands'>, RenderOptions {
  /** The bands of the tile, in the order of the style. */
  readonly sources: readonly BandOfRaster[]
  /** Tiles of deeper levels are enlarged parts of the tile of this level: nothing finer is read. */
  readonly max_zoom?: number
  /** In longitude and latitude; pixels outside are masked. */
  readonly area?: AreaGeometry
}

/**
 * Renders a tile whose bands are in several rasters, which may have different grids. A pixel is valid where all bands are.
 * Fails as readTile, applyStyle and encodeRenderedImage do.
 */
export async function renderBandTile(rasters: readonly Raster[], request: BandTileRequest): Promise<Uint8Array> {
  const { sources, max_zoom = request.z, area, size } = request
  const depth = Math.max(0, request.z - max_zoom)
  const tile = { z: request.z - depth, x: shifted(request.x, depth), y: shifted(request.y, depth) }
  const used = [...new Set(sources.map(({ raster }) => raster))]
  const budget_bytes = Math.floor((request.budget_bytes ?? default_tile_budget_bytes) / Math.max(1, used.length))
  const { resampling, signal } = request
  const blocks = new Map<number, PixelBlock>()
  for (const raster of used) {
    const bands = sources.filter((source) => source.raster === raster).map(({ band }) => band)
    blocks.set(raster, await readTile(rasters[raster]!, { ...tile, size, bands, resampling, budget_bytes, signal }))
  }
  const joined = stackBlockBands(inOrder(sources, blocks))
  const block = depth === 0 ? joined : enlargeBlockPart(joined, { ...request, depth })
  if (area) maskTileOutsideArea(block.mask, size, request, area)
  return encodeStyled(block, request)
}

const shifted = (index: number, depth: number): number => Math.floor(index / 2 ** depth)

interface BlockBand {
  readonly block: PixelBlock
  readonly band: number
}

/** The bands in the order of their sources; a block has those of its raster in the same order. */
function inOrder(sources: readonly BandOfRaster[], blocks: ReadonlyMap<number, PixelBlock>): BlockBand[] {
  const next = new Map<number, number>()
  return sources.map(({ raster }) => {
    const band = next.get(raster) ?? 0
    next.set(raster, band + 1)
    return { block: blocks.get(raster)!, band }
  })
}

/** One block of bands of several blocks of one size: of the type of all samples, or floating point. */
export function stackBlockBands(bands: readonly BlockBand[]): PixelBlock {
  const { width, height } = bands[0]!.block
  const count = width * height
  const data = createSamples(
    bands.map(({ block }) => block.data),
    count * bands.length,
  )
  const mask = new Uint8Array(count).fill(255)
  for (const [index, { block, band }] of bands.entries()) {
    data.set(block.data.subarray(band * count, (band + 1) * count), index * count)
    for (let pixel = 0; pixel < count; pixel++) mask[pixel]! &= block.mask[pixel]!
  }
  return { width, height, bands: bands.length, data, mask }
}

/** Samples of the type that all arrays have; floating point if they differ, of 64 bits if 32 do not hold one of them. */
function createSamples(arrays: readonly SampleArray[], length: number): SampleArray {
  const types = [...new Set(arrays.map(getSampleTypeOfArray))]
  const isNarrow = types.every((type) => findSmallestCommonSampleType(type, 'float32') === 'float32')
  const type = types.length === 1 ? types[0]! : isNarrow ? 'float32' : 'float64'
  return sampleTypeProperties[type].allocate(length)
}

/** The part of a tile that a tile `depth` levels deeper covers, enlarged to the size of a tile by the nearest pixels. */
export function enlargeBlockPart(
  { width, height, bands, data, mask }: PixelBlock,
  { x, y, depth }: { readonly x: number; readonly y: number; readonly depth: number },
): PixelBlock {
  const parts = 2 ** depth
  const toSource = (index: number, size: number, position: number): number =>
    Math.min(size - 1, Math.floor(((index % parts) * size + position) / parts))
  const columns = Uint32Array.from({ length: width }, (_, column) => toSource(x, width, column))
  const count = width * height
  const enlarged = createSamples([data], data.length)
  const enlargedMask = new Uint8Array(count)
  for (let row = 0; row < height; row++) {
    const sourceRow = toSource(y, height, row) * width
    for (let column = 0; column < width; column++) {
      const [target, source] = [row * width + column, sourceRow + columns[column]!]
      enlargedMask[target] = mask[source]!
      for (let band = 0; band < bands; band++) enlarged[band * count + target] = data[band * count + source]!
    }
  }
  return { width, height, bands, data: enlarged, mask: enlargedMask }
}
