import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Raster, TerrainRgbOptions, TerrainEncoding } from '@swath/raster'
import type { RasterBandMetadata } from '../items/assets/raster-metadata.ts'
import { rasterReadLimits } from '../items/search/read-limits.ts'
import type { EncodedImage } from './image-response.ts'
import type { TileCoordinates } from './tile.ts'
import { withTimeout } from './within-time.ts'
import type { OrganizationRasterJobRunner } from './raster-pool.ts'

export interface TerrainTileOptions extends TileCoordinates {
  readonly raster: Raster
  readonly bands: readonly RasterBandMetadata[]
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
  readonly jobs: OrganizationRasterJobRunner
  readonly signal: AbortSignal
}

const international_foot_m = 0.3048
const survey_foot_m = 1200 / 3937

/** Metres per unit, by the unit names in files; unknown units count as metres. */
const metresPerUnit: Readonly<Record<string, number>> = {
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
export function toTerrainEncoding(
  { scale, offset, unit }: Pick<Raster['bands'][number], 'scale' | 'offset' | 'unit'>,
  { encoding, invert, missing }: Pick<TerrainTileOptions, 'encoding' | 'invert' | 'missing'>,
): TerrainRgbOptions {
  const unitName = (unit ?? '').toLowerCase()
  const z_factor = Object.hasOwn(metresPerUnit, unitName) ? metresPerUnit[unitName]! : 1
  return { encoding, scale, offset, z_factor, invert, missing: missing === 'zero' ? 0 : undefined }
}

/** Renders the first band of a raster as heights in metres, as PNG. Throws what `renderRasterTile` throws. */
export async function renderTerrainTile(options: TerrainTileOptions): Promise<EncodedImage> {
  const { raster, bands, z, x, y, size, area } = options
  const band = Math.max(
    bands.findIndex(({ colour }) => colour !== 'alpha'),
    0,
  )
  const style = { kind: 'terrain', terrain: toTerrainEncoding(raster.bands[band]!, options) } as const
  const tileOptions = {
    z,
    x,
    y,
    size,
    bands: [band],
    resampling: 'bilinear',
    budget_bytes: rasterReadLimits.tile.decoded_bytes,
  } as const
  const body = await withTimeout(
    options.jobs,
    { workName: 'tile', timeout_ms: rasterReadLimits.tile.ms, signal: options.signal },
    (signal) =>
      options.jobs.run(
        'renderTile',
        [raster],
        {
          ...tileOptions,
          style,
          format: 'png',
          area: area ?? undefined,
        },
        { signal },
      ),
  )
  return { body, media_type: 'image/png' }
}
