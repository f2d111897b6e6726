import { drawTile } from '@swath/raster'
import type { Raster, Resampling, Samples } from '@swath/raster'
import { bothValid, differenceOf, masksApart, rangeOf, withoutBorder } from './difference.ts'
import type { Difference } from './difference.ts'
import { percent } from './findings.ts'
import type { FileFacts, Gdal, TileOfMap, TileWay } from './gdal.ts'
import { LOSSY_TILES, TILE_RULES } from './tolerances.ts'

/** A file that both sides have opened. */
export interface Subject {
  readonly gdal: Gdal
  readonly file: string
  readonly raster: Raster
  readonly facts: FileFacts
}

export interface ComparedTile {
  readonly difference: Difference
  readonly masksApart: number
  /** What is wrong by the rules, or null. */
  readonly says: string | null
  /** The picture ends inside of the tile. */
  readonly hasEdge: boolean
  /** The tile's pixels are larger than the level's, so that kernels take in more than the usual neighbours. */
  readonly shrinks: boolean
  /** The source's system is curved against the map, or part of the tile has no place in it. */
  readonly curved: boolean
}

/** How a tile is compared where gdalwarp has a way of its own, with no more tolerance. */
interface Excuse extends TileWay {
  /** The one sentence that explains it. */
  readonly because: string
  /** Without the two outermost pixels. */
  readonly inside?: true
}

const CURVED: Excuse = {
  scale: 'local',
  because: 'the map is curved: gdalwarp agrees when it is asked cell by cell for the level and the kernel of each',
}

const CLIPPED_KERNEL: Excuse = {
  scale: 'whole',
  because: 'the picture ends inside: gdalwarp agrees when its kernel is not stretched to what is left of the tile',
}

const BORDER: Excuse = {
  inside: true,
  scale: 'whole',
  because: 'the outermost two pixels: gdalwarp weighs source pixels at the edge by more than 1, and alpha as a colour',
}

function excusesFor({ facts }: Subject, plain: ComparedTile, resampling: Resampling): Excuse[] {
  const excuses: Excuse[] = []
  if (plain.curved) excuses.push(CURVED)
  if (plain.hasEdge && plain.shrinks && WEIGHTED.has(resampling)) excuses.push(CLIPPED_KERNEL)
  if (plain.hasEdge && (resampling === 'average' || facts.alpha !== null)) excuses.push(BORDER)
  if (plain.curved && plain.hasEdge) excuses.push({ ...CURVED, inside: true })
  return excuses
}

const WEIGHTED: ReadonlySet<Resampling> = new Set(['bilinear', 'cubic'])

/**
 * One tile, ours and that of gdalwarp with its exact transformer; where they differ, `fair` is the first comparison that takes
 * a way of GDAL out and finds nothing wrong, else the last. Where the file has an alpha band, only colours are compared.
 */
export async function compareTile(
  subject: Subject,
  tile: TileOfMap,
  resampling: Resampling,
): Promise<{ readonly plain: ComparedTile; readonly fair: ComparedTile; readonly because: string | null }> {
  const plain = await compareOnce(subject, tile, resampling, {})
  if (plain.says === null) return { plain, fair: plain, because: null }
  let last = plain
  for (const { because, ...way } of excusesFor(subject, plain, resampling)) {
    const fair = await compareOnce(subject, tile, resampling, way)
    if (fair.says === null) return { plain, fair, because }
    last = fair
  }
  return { plain, fair: last, because: null }
}

async function compareOnce(
  { gdal, file, raster, facts }: Subject,
  tile: TileOfMap,
  resampling: Resampling,
  { inside, ...way }: TileWay & Pick<Excuse, 'inside'>,
): Promise<ComparedTile> {
  const bands = raster.bands.map((_, band) => band).filter((band) => band !== facts.alpha)
  const ours = await drawTile(raster, { ...tile, bands, resampling, budget_bytes: 2 ** 30 })
  const theirs = await gdal.tile(file, raster.sampleType, tile, resampling, way)
  const both = bothValid(ours.mask, theirs.mask)
  const level = levelOf(theirs.samples, theirs.mask)
  const step = TILE_RULES[resampling].levels * level + (facts.lossy ? LOSSY_TILES.steps : 0)
  const mask = inside ? withoutBorder(withoutBorder(both, tile.size), tile.size) : both
  const difference = differenceOf(ours.data, withoutSpreadNaN(theirs.samples, ours.data), step, mask)
  const apart = inside ? 0 : masksApart(ours.mask, theirs.mask)
  return {
    difference,
    masksApart: apart,
    says: judge(difference, apart, level, shareOf(resampling, facts.lossy)),
    hasEdge: both.includes(0),
    shrinks: theirs.scale !== null && Math.min(...theirs.scale) < 0.95,
    curved: theirs.curved || theirs.scale === null,
  }
}

// A NaN in one band of a valid pixel spreads in gdalwarp; ours leaves it out.
function withoutSpreadNaN(theirs: Samples, ours: Samples): Samples {
  return theirs.map((value, at) => (Number.isNaN(value) ? ours[at]! : value))
}

function levelOf(samples: Samples, mask: Uint8Array): number {
  if (!(samples instanceof Float32Array || samples instanceof Float64Array)) return 1
  const [lowest, highest] = rangeOf(samples, mask)
  return highest > lowest ? (highest - lowest) / 1000 : Math.abs(highest) * 1e-6
}

function shareOf(resampling: Resampling, lossy: boolean): number {
  const { share } = TILE_RULES[resampling]
  return lossy ? Math.min(share, LOSSY_TILES.share) : share
}

function judge(difference: Difference, apart: number, level: number, share: number): string | null {
  if (apart > 0) return `${apart} pixels of the mask differ`
  const { compared, beyond, largest } = difference
  if (beyond <= compared * (1 - share)) return null
  const levels = level === 1 ? `${largest}` : `${(largest / level).toPrecision(3)} levels`
  return `${beyond} of ${compared} samples (${percent(beyond, compared)}) differ too much, by up to ${levels}`
}
