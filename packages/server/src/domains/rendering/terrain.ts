import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Raster, Terrain, TerrainEncoding } from '@swath/raster'
import type { WorkOwner } from '../../engine/fair-queue.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import { readLimits } from '../items/read-limits.ts'
import { develop } from './darkroom.ts'
import type { EncodedPicture } from './image-answer.ts'
import type { TileAddress } from './tile.ts'
import { withinTime } from './within-time.ts'

export interface TerrainSpec extends TileAddress {
  readonly raster: Raster
  readonly bands: readonly BandFacts[]
  readonly encoding: TerrainEncoding
  readonly invert: boolean
  /**
   * The encoding of missing heights. Maps decode the color of every pixel, also transparent ones, and browsers drop the
   * color of those: they become the lowest possible height, a hole of ten kilometres.
   */
  readonly missing: 'zero' | 'transparent'
  readonly size: 256 | 512
  /** Pixels outside of the area count as missing. */
  readonly area: AreaGeometry | null
  readonly owner: WorkOwner
  readonly signal: AbortSignal
}

const international_foot_m = 0.3048
const survey_foot_m = 1200 / 3937

/** Metres per unit, by the unit names in files; unknown units count as metres. */
const metres: Readonly<Record<string, number>> = {
  ft: international_foot_m,
  foot: international_foot_m,
  feet: international_foot_m,
  'us-ft': survey_foot_m,
  ftus: survey_foot_m,
  'us survey foot': survey_foot_m,
  km: 1000,
  cm: 0.01,
}

/** The encoding parameters of the heights of a band. */
export function terrainOf(
  { scale, offset, unit }: Pick<Raster['bands'][number], 'scale' | 'offset' | 'unit'>,
  { encoding, invert, missing }: Pick<TerrainSpec, 'encoding' | 'invert' | 'missing'>,
): Terrain {
  const word = (unit ?? '').toLowerCase()
  const z_factor = Object.hasOwn(metres, word) ? metres[word]! : 1
  return { encoding, scale, offset, z_factor, invert, missing: missing === 'zero' ? 0 : undefined }
}

/** Renders the first band of a raster as heights in metres, as PNG. Throws what `renderRasterTile` throws. */
export async function renderTerrain(spec: TerrainSpec): Promise<EncodedPicture> {
  const { raster, bands, z, x, y, size, area } = spec
  const band = Math.max(
    bands.findIndex(({ colour }) => colour !== 'alpha'),
    0,
  )
  const look = { kind: 'terrain', terrain: terrainOf(raster.bands[band]!, spec) } as const
  const place = {
    z,
    x,
    y,
    size,
    bands: [band],
    resampling: 'bilinear',
    budget_bytes: readLimits.tile.decoded_bytes,
  } as const
  const body = await withinTime('tile', readLimits.tile.ms, spec.signal, (signal) =>
    develop(spec.owner, 'tilePicture', [raster], { ...place, look, format: 'png', area: area ?? undefined }, signal),
  )
  return { body, media_type: 'image/png' }
}
