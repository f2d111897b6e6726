import { statSync } from 'node:fs'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Tile } from '@swath/geo/tile-grid.ts'
import {
  copyToCog,
  readTile,
  encodeRenderedImage,
  openFileSource,
  openRaster,
  parseColormap,
  parseExpression,
  type CogOptions,
  type PixelBlock,
  type Raster,
} from '@swath/raster'
import { createBlockCache } from '@swath/raster/io/cache/block-cache.ts'
import { createRasterHeaderCache } from '@swath/raster/io/cache/header-cache.ts'
import { setSharedBlockCache } from '@swath/raster/io/cache/per-thread.ts'
import type { RenderedImage as RenderedTile } from '@swath/raster/render/encode/rendered-image.ts'
import { computeZonalStatistics } from '@swath/raster/compute/statistics/zonal-statistics.ts'
import { createRasterPool, type RasterPool } from '@swath/raster/pool/pool.ts'
import { applyStyle } from '@swath/raster/render/style/apply-style.ts'
import type { RasterStyle } from '@swath/raster/render/style/render-style.ts'
import { openLocalFileSource } from '@swath/raster/io/source/local-file.ts'
import type { TileStyle } from './tile-style.ts'

/** The functions of the raster engine that the benchmark uses, called in this thread. The only file that imports the engine. */
export function createEngine() {
  let headers: ReturnType<typeof createRasterHeaderCache> | null = null
  const opened = new Map<string, Promise<Raster>>()
  // Only a raster from the header cache has a file id, which the block cache needs.
  const open = (file: string): Promise<Raster> => {
    const source = () => openLocalFileSource(file, file, statSync(file).size)
    if (headers) return headers.get({ id: file }, () => openRaster(source()))
    const cached = opened.get(file) ?? openRaster(source())
    opened.set(file, cached)
    return cached
  }
  let pool: { readonly threads: number; readonly pool: RasterPool } | null = null
  let sharedBytes = 0
  const renderTileOf = async (file: string, tile: Tile, style: TileStyle) => renderTile(await open(file), tile, style)
  return {
    /** Empties the block cache and sets its size; with 0 every tile decodes its blocks again. */
    setBlockCache: (bytes: number): void => {
      headers = bytes > 0 ? createRasterHeaderCache() : null
      if (bytes === 0 || bytes === sharedBytes) return
      setSharedBlockCache(createBlockCache({ bytes }))
      sharedBytes = bytes
    },
    /** Renders and encodes a tile of a local file. Headers are cached. */
    renderEncoded: async (file: string, tile: Tile, style: TileStyle) =>
      encode(await renderTileOf(file, tile, style), style),
    /** Rendering and encoding as separate steps, so that each can be measured. */
    renderTile: renderTileOf,
    encode,
    /** Renders from a raster that the caller opened, to count its reads. */
    renderFrom: async (raster: Raster, tile: Tile, style: TileStyle) =>
      encode(await renderTile(raster, tile, style), style),
    /** Reads all tiles in worker threads, without a block cache. */
    readInThreads: async (
      file: string,
      tiles: readonly Tile[],
      { bands, resampling }: TileStyle,
      threads: number,
    ): Promise<void> => {
      if (pool?.threads !== threads) {
        await pool?.pool.close()
        pool = { threads, pool: createRasterPool({ threads, cache_bytes: 0 }) }
      }
      const raster = await open(file)
      const { run } = pool.pool
      await Promise.all(tiles.map((tile) => run('tile', [raster], { ...tile, size: 256, bands, resampling })))
    },
    zonal: async (file: string, area: AreaGeometry) => (await computeZonalStatistics(await open(file), area)).bands,
    writeCog: async (file: string, target: string, options: CogOptions): Promise<void> => {
      const source = await openFileSource(file)
      await copyToCog([await openRaster(source)], null, target, options)
      await source.close()
    },
  }
}

async function renderTile(raster: Raster, tile: Tile, style: TileStyle): Promise<RenderedTile> {
  const { resampling, bands } = style
  const block = await readTile(raster, { ...tile, size: 256, bands, resampling })
  return applyStyle(block, getStyle(style, block))
}

function encode(rendered: RenderedTile, { format }: TileStyle): Uint8Array {
  return encodeRenderedImage(rendered, format)
}

const styles = new WeakMap<TileStyle, RasterStyle>()

function getStyle(style: TileStyle, block: PixelBlock): RasterStyle {
  const cached = styles.get(style)
  if (cached) return cached
  const rasterStyle = createStyle(style, block)
  styles.set(style, rasterStyle)
  return rasterStyle
}

function createStyle({ bands, shown, rescale, formula, colormap, terrain }: TileStyle, block: PixelBlock): RasterStyle {
  if (terrain) return { kind: 'terrain', terrain: { encoding: 'mapbox' } }
  const ranges = rescale ? [rescale] : undefined
  if (formula === undefined) {
    const bandIndexes = Array.from({ length: shown ?? block.bands }, (_, place) => place)
    return { kind: 'bands', bandIndexes, ranges }
  }
  const bandIndexByName = new Map(bands.map((band, place) => [`b${band + 1}`, place]))
  const colormapRamp = colormap === undefined ? null : parseColormap(colormap)
  return { kind: 'expression', expression: parseExpression(formula), bandIndexByName, ranges, colormap: colormapRamp }
}
