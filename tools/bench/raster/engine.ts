import { statSync } from 'node:fs'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Tile } from '@swath/geo/tile-grid.ts'
import {
  copyToCog,
  drawTile,
  encodePicture,
  fileSource,
  openRaster,
  parseColormap,
  parseExpression,
} from '@swath/raster'
import type { CogOptions, PixelBlock, Raster } from '@swath/raster'
import { createBlockCache } from '@swath/raster/cache/block-cache.ts'
import { createHeaderCache } from '@swath/raster/cache/header-cache.ts'
import { shareBlocks } from '@swath/raster/cache/of-thread.ts'
import type { Picture as EncodablePicture } from '@swath/raster/encode/picture.ts'
import { withKernels } from '@swath/raster/kernels/of-thread.ts'
import { zonalStatistics } from '@swath/raster/measure/zonal-statistics.ts'
import type { BandMeasures } from '@swath/raster/measure/measures.ts'
import { createRasterPool } from '@swath/raster/pool/pool.ts'
import type { RasterPool } from '@swath/raster/pool/pool.ts'
import { paintPicture } from '@swath/raster/paint/paint.ts'
import type { Look } from '@swath/raster/paint/look.ts'
import { localSource } from '@swath/raster/source/local.ts'
import type { Picture } from './picture.ts'

/** The functions of the raster engine that the benchmark uses, called in this thread. The only file that imports the engine. */
export interface Engine {
  /** Empties the block cache and sets its size; with 0 every tile decodes its blocks again. */
  readonly setBlockCache: (bytes: number) => void
  /** Renders and encodes a tile of a local file. Headers are cached. */
  readonly drawEncoded: (file: string, tile: Tile, picture: Picture) => Promise<Uint8Array>
  /** Rendering and encoding as separate steps, so that each can be measured. */
  readonly drawPainted: (file: string, tile: Tile, picture: Picture) => Promise<EncodablePicture>
  readonly encode: (painted: EncodablePicture, picture: Picture) => Uint8Array
  /** Renders from a raster that the caller opened, to count its reads. */
  readonly drawFrom: (raster: Raster, tile: Tile, picture: Picture) => Promise<Uint8Array>
  /** Reads all tiles in worker threads, without a block cache. */
  readonly drawInThreads: (file: string, tiles: readonly Tile[], picture: Picture, threads: number) => Promise<void>
  readonly zonal: (file: string, area: AreaGeometry) => Promise<readonly BandMeasures[]>
  readonly writeCog: (source: string, target: string, options: CogOptions) => Promise<void>
}

export function createEngine(): Engine {
  let headers: ReturnType<typeof createHeaderCache> | null = null
  const opened = new Map<string, Promise<Raster>>()
  // Only a raster from the header cache has a file id, which the block cache needs.
  const open = (file: string): Promise<Raster> => {
    const source = () => localSource(file, file, statSync(file).size)
    if (headers) return headers.get({ id: file }, () => openRaster(source()))
    const known = opened.get(file) ?? openRaster(source())
    opened.set(file, known)
    return known
  }
  let pool: { readonly threads: number; readonly pool: RasterPool } | null = null
  let shared = 0
  const drawPainted = async (file: string, tile: Tile, picture: Picture) => paint(await open(file), tile, picture)
  return {
    setBlockCache: (bytes) => {
      headers = bytes > 0 ? createHeaderCache() : null
      if (bytes === 0 || bytes === shared) return
      shareBlocks(createBlockCache({ bytes }))
      shared = bytes
    },
    drawEncoded: async (file, tile, picture) => encode(await drawPainted(file, tile, picture), picture),
    drawPainted,
    encode,
    drawFrom: async (raster, tile, picture) => encode(await paint(raster, tile, picture), picture),
    drawInThreads: async (file, tiles, { bands, resampling }, threads) => {
      if (pool?.threads !== threads) {
        await pool?.pool.close()
        pool = { threads, pool: createRasterPool({ threads, cache_bytes: 0 }) }
      }
      const raster = await open(file)
      const { run } = pool.pool
      await Promise.all(tiles.map((tile) => run('tile', [raster], { ...tile, size: 256, bands, resampling })))
    },
    zonal: async (file, area) => (await zonalStatistics(await open(file), area)).bands,
    writeCog: async (file, target, options) => {
      const source = await fileSource(file)
      await copyToCog([await openRaster(source)], null, target, options)
      await source.close()
    },
  }
}

async function paint(raster: Raster, tile: Tile, picture: Picture): Promise<EncodablePicture> {
  const { resampling, bands } = picture
  const block = await drawTile(raster, { ...tile, size: 256, bands, resampling })
  return paintPicture(block, lookOf(picture, block))
}

function encode(painted: EncodablePicture, { format }: Picture): Uint8Array {
  return withKernels((kernels) => encodePicture(painted, format, { kernels }))
}

const looks = new WeakMap<Picture, Look>()

function lookOf(picture: Picture, block: PixelBlock): Look {
  const known = looks.get(picture)
  if (known) return known
  const look = makeLook(picture, block)
  looks.set(picture, look)
  return look
}

function makeLook({ bands, shown, rescale, formula, colormap, terrain }: Picture, block: PixelBlock): Look {
  if (terrain) return { kind: 'terrain', terrain: { encoding: 'mapbox' } }
  const ranges = rescale ? [rescale] : undefined
  if (formula === undefined) {
    const places = Array.from({ length: shown ?? block.bands }, (_, place) => place)
    return { kind: 'bands', places, ranges }
  }
  const places = new Map(bands.map((band, place) => [`b${band + 1}`, place]))
  const ramp = colormap === undefined ? null : parseColormap(colormap)
  return { kind: 'expression', expression: parseExpression(formula), places, ranges, colormap: ramp }
}
