import type { Figure } from '../figure.ts'
import { compareTiles } from './compare.ts'
import { createFigure } from './figure-bounds.ts'
import type { FigureName } from './figure-bounds.ts'
import { tileStyles } from './tile-style.ts'
import type { TileStyle } from './tile-style.ts'
import type { RasterBenchContext } from './context.ts'
import { chooseNeighbouringTiles, chooseScatteredTiles, withOpenRaster } from './tile-sets.ts'
import type { TileSet } from './tile-sets.ts'

const block_cache_bytes = 536_870_912
const scattered = [10, 12, 13, 14]
const neighbouring = [13, 12]

interface TileCase {
  readonly description: string
  readonly scene: string
  readonly style: Omit<TileStyle, 'resampling'>
  readonly figures: Readonly<Partial<Record<'nearest' | 'bilinear', FigureName>>>
  /** Neighbouring tiles, with our block cache. */
  readonly pan?: true
  readonly peer?: 'gdal'
}

const nearestAndBilinear = ['nearest', 'bilinear'] as const

const cases: Readonly<Record<string, readonly TileCase[]>> = {
  cold: [
    {
      description: 'u16 of four bands, deflate, cold, PNG',
      scene: 's2.tif',
      style: tileStyles.colours,
      figures: { nearest: 'cold, nearest', bilinear: 'cold, bilinear' },
    },
    // These two have no bound; they are printed for comparison.
    { description: 'the same as JPEG', scene: 's2.tif', style: tileStyles.colours_jpeg, figures: {} },
    { description: 'the same in zstd, JPEG', scene: 's2_zstd.tif', style: tileStyles.colours_jpeg, figures: {} },
  ],
  pan: [
    {
      description: 'u16 of four bands, deflate, neighbouring tiles, only ours with a block cache, PNG',
      scene: 's2.tif',
      style: tileStyles.colours,
      figures: { nearest: 'pan, nearest', bilinear: 'pan, bilinear' },
      pan: true,
    },
  ],
  jpeg: [
    {
      description: 'JPEG with mask, cold, JPEG',
      scene: 'rgb_jpeg.tif',
      style: tileStyles.bytes,
      figures: { nearest: 'JPEG with mask, cold, nearest', bilinear: 'JPEG with mask, cold, bilinear' },
    },
    { description: 'JPEG with mask, cold, PNG', scene: 'rgb_jpeg.tif', style: tileStyles.bytes_png, figures: {} },
  ],
  dem: [
    {
      description: 'float32 terrain, cold, terrain-RGB',
      scene: 'dem.tif',
      style: tileStyles.terrain,
      figures: { nearest: 'terrain-RGB of float32, cold, nearest', bilinear: 'terrain-RGB of float32, cold, bilinear' },
    },
  ],
  ndvi: [
    {
      description: 'NDVI in colours, cold, PNG',
      scene: 's2.tif',
      style: tileStyles.ndvi,
      figures: { nearest: 'NDVI in colours, cold' },
    },
    {
      description: 'NDVI in colours, neighbouring tiles, only ours with a block cache, PNG',
      scene: 's2.tif',
      style: tileStyles.ndvi,
      figures: { nearest: 'NDVI in colours, pan' },
      pan: true,
    },
  ],
  warp: [
    {
      description: 'all four bands, ours encoded as JPEG, cold',
      scene: 's2.tif',
      style: tileStyles.all_bands,
      figures: { nearest: 'gdal.Warp without encoding, nearest', bilinear: 'gdal.Warp without encoding, bilinear' },
      peer: 'gdal',
    },
  ],
}

export const tileGroups = Object.keys(cases)

/** Compares our tiles with those of a peer for all cases of a group. */
export async function measureTiles(context: RasterBenchContext, group: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const benchCase of cases[group]!) {
    const file = context.scene(benchCase.scene)
    const sets = await withOpenRaster(file, (raster): TileSet[] =>
      benchCase.pan
        ? neighbouring.map((z) => chooseNeighbouringTiles(raster, z, context.tiles * 4))
        : scattered.map((z) => chooseScatteredTiles(raster, z, context.tiles)),
    )
    const hasFigures = Object.keys(benchCase.figures).length > 0
    for (const resampling of nearestAndBilinear) {
      const name = benchCase.figures[resampling]
      if (hasFigures && name === undefined) continue
      const comparison = {
        description: benchCase.description,
        file,
        sets,
        style: { ...benchCase.style, resampling },
        peer: benchCase.peer === 'gdal' ? context.gdal : context.rioTiler,
        peerName: benchCase.peer === 'gdal' ? 'gdal.Warp' : 'rio-tiler',
        cache_bytes: benchCase.pan ? block_cache_bytes : 0,
      }
      const ratio = await compareTiles(context, comparison)
      if (name !== undefined) figures.push(createFigure(name, ratio))
      if (benchCase.pan)
        await compareTiles(context, {
          ...comparison,
          description: `${benchCase.description}, dataset kept open`,
          kept: true,
        })
    }
  }
  return figures
}
