import type { Figure } from '../figure.ts'
import { compareTiles } from './compare.ts'
import { figureOf } from './limits.ts'
import type { LimitName } from './limits.ts'
import { PICTURES } from './picture.ts'
import type { Picture } from './picture.ts'
import type { Setting } from './setting.ts'
import { neighbouringTiles, scatteredTiles, withRaster } from './tile-sets.ts'
import type { TileSet } from './tile-sets.ts'

const KEPT_BLOCKS_BYTES = 536_870_912
const SCATTERED = [10, 12, 13, 14]
const NEIGHBOURING = [13, 12]

interface TileRow {
  readonly about: string
  readonly scene: string
  readonly picture: Omit<Picture, 'resampling'>
  readonly figures: Readonly<Partial<Record<'nearest' | 'bilinear', LimitName>>>
  /** Neighbouring tiles, with our block cache. */
  readonly pan?: true
  readonly peer?: 'gdal'
}

const NEAREST_AND_BILINEAR = ['nearest', 'bilinear'] as const

const ROWS: Readonly<Record<string, readonly TileRow[]>> = {
  cold: [
    {
      about: 'u16 of four bands, deflate, cold, PNG',
      scene: 's2.tif',
      picture: PICTURES.colours,
      figures: { nearest: 'cold, nearest', bilinear: 'cold, bilinear' },
    },
    // These two have no bound; they are printed for comparison.
    { about: 'the same as JPEG', scene: 's2.tif', picture: PICTURES.colours_jpeg, figures: {} },
    { about: 'the same in zstd, JPEG', scene: 's2_zstd.tif', picture: PICTURES.colours_jpeg, figures: {} },
  ],
  pan: [
    {
      about: 'u16 of four bands, deflate, neighbouring tiles, only ours with a block cache, PNG',
      scene: 's2.tif',
      picture: PICTURES.colours,
      figures: { nearest: 'pan, nearest', bilinear: 'pan, bilinear' },
      pan: true,
    },
  ],
  jpeg: [
    {
      about: 'JPEG with mask, cold, JPEG',
      scene: 'rgb_jpeg.tif',
      picture: PICTURES.bytes,
      figures: { nearest: 'JPEG with mask, cold, nearest', bilinear: 'JPEG with mask, cold, bilinear' },
    },
    { about: 'JPEG with mask, cold, PNG', scene: 'rgb_jpeg.tif', picture: PICTURES.bytes_png, figures: {} },
  ],
  dem: [
    {
      about: 'float32 terrain, cold, terrain-RGB',
      scene: 'dem.tif',
      picture: PICTURES.terrain,
      figures: { nearest: 'terrain-RGB of float32, cold, nearest', bilinear: 'terrain-RGB of float32, cold, bilinear' },
    },
  ],
  ndvi: [
    {
      about: 'NDVI in colours, cold, PNG',
      scene: 's2.tif',
      picture: PICTURES.ndvi,
      figures: { nearest: 'NDVI in colours, cold' },
    },
    {
      about: 'NDVI in colours, neighbouring tiles, only ours with a block cache, PNG',
      scene: 's2.tif',
      picture: PICTURES.ndvi,
      figures: { nearest: 'NDVI in colours, pan' },
      pan: true,
    },
  ],
  warp: [
    {
      about: 'all four bands, ours encoded as JPEG, cold',
      scene: 's2.tif',
      picture: PICTURES.all_bands,
      figures: { nearest: 'gdal.Warp without encoding, nearest', bilinear: 'gdal.Warp without encoding, bilinear' },
      peer: 'gdal',
    },
  ],
}

export const TILE_WORDS = Object.keys(ROWS)

/** Compares our tiles with those of a peer for all cases of a group. */
export async function measureTiles(setting: Setting, word: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const row of ROWS[word]!) {
    const file = setting.scene(row.scene)
    const sets = await withRaster(file, (raster): TileSet[] =>
      row.pan
        ? NEIGHBOURING.map((z) => neighbouringTiles(raster, z, setting.tiles * 4))
        : SCATTERED.map((z) => scatteredTiles(raster, z, setting.tiles)),
    )
    const judged = Object.keys(row.figures).length > 0
    for (const resampling of NEAREST_AND_BILINEAR) {
      const name = row.figures[resampling]
      if (judged && name === undefined) continue
      const contest = {
        about: row.about,
        file,
        sets,
        picture: { ...row.picture, resampling },
        peer: row.peer === 'gdal' ? setting.gdal : setting.rioTiler,
        peerName: row.peer === 'gdal' ? 'gdal.Warp' : 'rio-tiler',
        cache_bytes: row.pan ? KEPT_BLOCKS_BYTES : 0,
      }
      const ratio = await compareTiles(setting, contest)
      if (name !== undefined) figures.push(figureOf(name, ratio))
      if (row.pan) await compareTiles(setting, { ...contest, about: `${row.about}, dataset kept open`, kept: true })
    }
  }
  return figures
}
