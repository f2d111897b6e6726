import { createTileMasker, type PixelBlock, type Raster, type RescaleRange } from '@swath/raster'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../../engine/call.ts'
import { rasterReadLimits } from '../../items/search/read-limits.ts'
import { getCallerRasterJobRunner } from '../../tiles/raster-pool.ts'
import { withTimeout } from '../../tiles/within-time.ts'
import { findTilesOfArea } from './aoi-tiles.ts'
import {
  type CloudPercentages,
  type CloudCountArea,
  type CloudPixelClass,
  countCloudInTile,
  createCloudTotals,
  toCloudPercentages,
} from './cloud-counts.ts'
import { looksLikeCloud } from './cloud-rule.ts'
import { computePreviewMaxZoom } from './preview-zoom.ts'
import type { SceneBand, SceneImage } from './scene-image.ts'
import { openSceneBands } from './scene-tile.ts'

/** The meaning of the values of a cloud mask. */
interface CloudMask {
  /** The names of the band, or of its asset. */
  readonly names: RegExp
  isFill(value: number): boolean
  isCloud(value: number): boolean
  isHaze(value: number): boolean
}

const hasBit = (value: number, bit: number): boolean => ((value >> bit) & 1) === 1
const bitPair = (value: number, bit: number): number => (value >> bit) & 3
const high = 3

/** The masks of the providers; cloud shadow is neither cloud nor haze. */
const cloudMasks: readonly CloudMask[] = [
  {
    // Scene classification of Sentinel-2: cloud of medium and high probability, thin cirrus.
    names: /^scl$/i,
    isFill: (value) => value === 0,
    isCloud: (value) => value === 8 || value === 9,
    isHaze: (value) => value === 10,
  },
  {
    // HLS: bit 1 is cloud, bits 6 and 7 are the level of aerosol.
    names: /^fmask$/i,
    isFill: (value) => value === 255,
    isCloud: (value) => hasBit(value, 1),
    isHaze: (value) => bitPair(value, 6) === high,
  },
  {
    // Landsat Collection 2.
    names: /^qa_pixel$/i,
    isFill: (value) => hasBit(value, 0),
    isCloud: (value) => hasBit(value, 3),
    isHaze: (value) => hasBit(value, 2),
  },
  {
    // Landsat Collection 1: bits 11 and 12 are the confidence of cirrus.
    names: /^bqa$/i,
    isFill: (value) => hasBit(value, 0),
    isCloud: (value) => hasBit(value, 4),
    isHaze: (value) => bitPair(value, 11) === high,
  },
]

/** The band with the cloud mask of a scene, and its meaning; null if it has none. */
function findCloudMask(bands: readonly SceneBand[]): { band: SceneBand; mask: CloudMask } | null {
  for (const mask of cloudMasks) {
    const band = bands.find(({ file, metadata }) => mask.names.test(metadata.name ?? '') || mask.names.test(file.asset))
    if (band) return { band, mask }
  }
  return null
}

export interface CloudInAreaResult extends CloudPercentages {
  /** Null if only the pixels with data were counted; `cloud_percent` is null too then. */
  readonly source: 'cloud-mask' | 'brightness' | null
}

interface CloudReading {
  readonly source: CloudInAreaResult['source']
  readonly bands: readonly SceneBand[]
  /** Null if the rasters of the bands do not say how bright their samples are. */
  readonly chooseClasses: (rasters: readonly Raster[]) => CloudCountArea['classify'] | null
}

/**
 * Measures cloud within an area by the mask of the scene, else by the brightness of its pixels. With neither only the pixels
 * with data are counted.
 */
export async function measureCloudInArea(
  call: Call,
  image: SceneImage,
  area: AreaGeometry,
): Promise<CloudInAreaResult> {
  const { source, bands: wanted, chooseClasses } = chooseReading(image)
  const { rasters, bands } = await openSceneBands(call, wanted)
  const classify = chooseClasses(rasters)
  const max_zoom = image.is_preview ? Math.min(...rasters.map(computePreviewMaxZoom)) : undefined
  const jobs = getCallerRasterJobRunner(call)
  const totals = createCloudTotals()
  const maskTile = createTileMasker(area)
  const limit = { workName: 'score', timeout_ms: rasterReadLimits.measurement.ms, signal: call.signal }
  await withTimeout(jobs, limit, async (signal) => {
    for (const tile of findTilesOfArea(area, max_zoom)) {
      const blocks: PixelBlock[] = []
      for (const { raster, band } of bands) {
        const request = { ...tile, size: 256, bands: [band], resampling: 'nearest' } as const
        blocks.push(await jobs.run('tile', [rasters[raster]!], request, { signal }))
      }
      countCloudInTile(totals, tile, blocks, { maskTile, classify: classify ?? (() => 'clear') })
    }
  })
  const measured = toCloudPercentages(totals, source === 'cloud-mask')
  return classify && source ? { source, ...measured } : { source: null, ...measured, cloud_percent: null }
}

function chooseReading(image: SceneImage): CloudReading {
  const found = findCloudMask(image.bands)
  if (!found) return chooseBrightness(image)
  const { band, mask } = found
  return { source: 'cloud-mask', bands: [band], chooseClasses: () => (values) => classifyMask(mask, values[0]!) }
}

function classifyMask(mask: CloudMask, value: number): CloudPixelClass {
  if (mask.isFill(value)) return 'fill'
  if (mask.isCloud(value)) return 'cloud'
  return mask.isHaze(value) ? 'haze' : 'clear'
}

/** The reflectance that is white in an image. */
const white_reflectance = 0.3

/** Brightness needs red, green and blue with known ends: of the collection, of reflectances, or of 8-bit images. */
function chooseBrightness(image: SceneImage): CloudReading {
  const bands = ['red', 'green', 'blue'].flatMap(
    (name) =>
      image.bands.find(({ metadata }) => metadata.common_name === name) ??
      image.bands.find(({ metadata }) => metadata.common_name === null && metadata.colour === name) ??
      [],
  )
  if (bands.length < 3) return { source: null, bands: image.bands.slice(0, 1), chooseClasses: () => null }
  const chooseClasses = (rasters: readonly Raster[]): CloudCountArea['classify'] | null => {
    const range = brightnessRange(image, bands, rasters)
    if (!range) return null
    const [black, white] = range
    const scaled = (sample: number): number => Math.min(1, Math.max(0, (sample - black) / (white - black)))
    return ([red, green, blue]) => (looksLikeCloud(scaled(red!), scaled(green!), scaled(blue!)) ? 'cloud' : 'clear')
  }
  return { source: 'brightness', bands, chooseClasses }
}

function brightnessRange(
  { collection }: SceneImage,
  bands: readonly SceneBand[],
  rasters: readonly Raster[],
): RescaleRange | null {
  const stated = /^(-?[\d.]+),(-?[\d.]+)$/.exec(String(collection?.render_params['rescale'] ?? ''))
  if (stated && Number(stated[1]) < Number(stated[2])) return [Number(stated[1]), Number(stated[2])]
  const { scale, offset } = bands[0]!.metadata
  if (scale !== 1 && scale > 0) return [-offset / scale, (white_reflectance - offset) / scale]
  return rasters.every(({ sampleType }) => sampleType === 'uint8') ? [0, 255] : null
}
