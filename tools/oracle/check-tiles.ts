import { drawTile } from '@swath/raster'
import type { Raster, Resampling, Samples } from '@swath/raster'
import { chooseTiles } from './choose-tiles.ts'
import { bothValid, differenceOf, masksApart, rangeOf, withoutBorder } from './difference.ts'
import type { Difference } from './difference.ts'
import { percent } from './findings.ts'
import type { Findings } from './findings.ts'
import type { FileFacts, Gdal, TileOfMap } from './gdal.ts'
import { LOSSY_STEPS, TILE_RULES } from './tolerances.ts'

const RESAMPLINGS: readonly Resampling[] = ['nearest', 'bilinear', 'cubic', 'average']

/** Map tiles beside those of gdalwarp with its exact transformer. */
export async function checkTiles(
  gdal: Gdal,
  file: string,
  raster: Raster,
  facts: FileFacts,
  found: Findings,
  short: boolean,
): Promise<void> {
  for (const tile of chooseTiles(raster, short))
    for (const resampling of RESAMPLINGS.filter((name) => comparable(name, raster, facts))) {
      found.tiles++
      const compare = (excuse?: Excuse) => compareTile(gdal, file, raster, facts, tile, resampling, excuse)
      const compared = await compare()
      const says = judgeTile(compared, resampling)
      if (says === null) continue
      const excuse = EXCUSES[resampling]
      const agrees = excuse?.applies(compared) && judgeTile(await compare(excuse), resampling) === null
      const line = `tile ${tile.z}/${tile.x}/${tile.y} of ${tile.size}, ${resampling}: ${says}`
      ;(agrees || compared.inSpace ? found.listed : found.violations).push(line)
    }
}

/** A difference that is GDAL's own: when it applies, and how the tile is then compared, with no more tolerance. */
interface Excuse {
  readonly applies: (compared: ComparedTile) => boolean
  readonly scale?: 'whole'
  readonly inside?: true
}

// Where the picture ends inside of a tile, gdalwarp makes kernels as if the picture were stretched over the tile. Fixed to the
// scale of the tile as a whole it must agree.
const CLIPPED_KERNEL: Excuse = { applies: (compared) => compared.minifiedOverEdge, scale: 'whole' }

/** Averages of gdalwarp weigh the outermost source pixels by more than 1 where a drawn pixel reaches beyond them. */
const BORDER_OF_AVERAGE: Excuse = { applies: (compared) => compared.hasEdge, inside: true }

const EXCUSES: Readonly<Partial<Record<Resampling, Excuse>>> = {
  bilinear: CLIPPED_KERNEL,
  cubic: CLIPPED_KERNEL,
  average: BORDER_OF_AVERAGE,
}

// GDAL means the numbers of a palette, and takes signed bytes for unsigned ones: only unmixed samples can be compared.
function comparable(resampling: Resampling, raster: Raster, facts: FileFacts): boolean {
  return resampling === 'nearest' || !(facts.palette || raster.sampleType === 'int8')
}

export interface ComparedTile {
  readonly difference: Difference
  readonly masksApart: number
  /** One level of the picture, as TILE_RULES count them. */
  readonly level: number
  readonly hasEdge: boolean
  /** Kernels take in more than the usual neighbours, and GDAL's are not those that it would use inside of the picture. */
  readonly minifiedOverEdge: boolean
  /** A part of the tile's edge has no place in the source's system: gdalwarp then chooses levels and kernels in its own way. */
  readonly inSpace: boolean
}

/** One tile, ours and gdalwarp's. Where the file has an alpha band, only the colours are compared. */
export async function compareTile(
  gdal: Gdal,
  file: string,
  raster: Raster,
  facts: FileFacts,
  tile: TileOfMap,
  resampling: Resampling,
  excuse: Pick<Excuse, 'scale' | 'inside'> = {},
): Promise<ComparedTile> {
  const bands = raster.bands.map((_, band) => band).filter((band) => band !== facts.alpha)
  const ours = await drawTile(raster, { ...tile, bands, resampling, budget_bytes: 2 ** 30 })
  const theirs = await gdal.tile(file, raster.sampleType, tile, resampling, excuse.scale)
  const both = bothValid(ours.mask, theirs.mask)
  const mask = excuse.inside ? withoutBorder(both, tile.size) : both
  const level = levelOf(theirs.samples, theirs.mask)
  const step = TILE_RULES[resampling].levels * level + (facts.lossy ? LOSSY_STEPS : 0)
  const hasEdge = both.includes(0)
  return {
    difference: differenceOf(ours.data, theirs.samples, step, mask),
    masksApart: excuse.inside ? 0 : masksApart(ours.mask, theirs.mask),
    level,
    hasEdge,
    minifiedOverEdge: hasEdge && theirs.scale !== null && Math.min(...theirs.scale) < 0.95,
    inSpace: theirs.scale === null,
  }
}

function levelOf(samples: Samples, mask: Uint8Array): number {
  if (!(samples instanceof Float32Array || samples instanceof Float64Array)) return 1
  const [lowest, highest] = rangeOf(samples, mask)
  return highest > lowest ? (highest - lowest) / 1000 : Math.abs(highest) * 1e-6
}

/** What is wrong with a tile by the rules, or null. */
export function judgeTile({ difference, masksApart, level }: ComparedTile, resampling: Resampling): string | null {
  if (masksApart > 0) return `${masksApart} pixels of the mask differ`
  const { compared, beyond, largest } = difference
  if (beyond <= compared * (1 - TILE_RULES[resampling].share)) return null
  const levels = level === 1 ? `${largest}` : `${(largest / level).toPrecision(3)} levels`
  return `${beyond} of ${compared} samples (${percent(beyond, compared)}) differ too much, by up to ${levels}`
}
