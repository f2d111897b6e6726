import type { PixelBlock, Raster, RescaleRange } from '@swath/raster'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../../engine/call.ts'
import { readLimits } from '../../items/search/read-limits.ts'
import { rasterJobsOf } from '../../rendering/raster-pool.ts'
import { withTimeout } from '../../rendering/within-time.ts'
import { tilesOfArea } from './aoi-tiles.ts'
import { findCloudMask, type CloudMask } from './cloud-classes.ts'
import {
  countTile,
  createCloudTotals,
  toPercentages,
  type CloudPercentages,
  type CountedArea,
  type PixelClass,
} from './cloud-counts.ts'
import { looksLikeCloud } from './cloud-rule.ts'
import { previewMaxZoom } from './preview-zoom.ts'
import type { SceneBand, SceneImage } from './scene-image.ts'
import { openBands } from './scene-tile.ts'

export interface CloudInArea extends CloudPercentages {
  /** Null if only the pixels with data were counted; `cloud_percent` is null too then. */
  readonly source: 'cloud-mask' | 'brightness' | null
}

interface CloudReading {
  readonly source: CloudInArea['source']
  readonly bands: readonly SceneBand[]
  /** Null if the rasters of the bands do not say how bright their samples are. */
  readonly chooseClasses: (rasters: readonly Raster[]) => CountedArea['classify'] | null
}

/**
 * Measures cloud within an area by the mask of the scene, else by the brightness of its pixels. With neither only the pixels
 * with data are counted.
 */
export async function measureCloudInArea(call: Call, image: SceneImage, area: AreaGeometry): Promise<CloudInArea> {
  const { source, bands: wanted, chooseClasses } = chooseReading(image)
  const { rasters, bands } = await openBands(call, wanted)
  const classify = chooseClasses(rasters)
  const max_zoom = image.is_preview ? Math.min(...rasters.map(previewMaxZoom)) : undefined
  const jobs = rasterJobsOf(call)
  const totals = createCloudTotals()
  const limit = { workName: 'score', timeout_ms: readLimits.measurement.ms, signal: call.signal }
  await withTimeout(jobs, limit, async (signal) => {
    for (const tile of tilesOfArea(area, max_zoom)) {
      const blocks: PixelBlock[] = []
      for (const { raster, band } of bands) {
        const request = { ...tile, size: 256, bands: [band], resampling: 'nearest' } as const
        blocks.push(await jobs.run('tile', [rasters[raster]!], request, { signal }))
      }
      countTile(totals, tile, blocks, { area, classify: classify ?? (() => 'clear') })
    }
  })
  const measured = toPercentages(totals, source === 'cloud-mask')
  return classify && source ? { source, ...measured } : { source: null, ...measured, cloud_percent: null }
}

function chooseReading(image: SceneImage): CloudReading {
  const found = findCloudMask(image.bands)
  if (!found) return chooseBrightness(image)
  const { band, mask } = found
  return { source: 'cloud-mask', bands: [band], chooseClasses: () => (values) => classifyMask(mask, values[0]!) }
}

function classifyMask(mask: CloudMask, value: number): PixelClass {
  if (mask.isFill(value)) return 'fill'
  if (mask.isCloud(value)) return 'cloud'
  return mask.isHaze(value) ? 'haze' : 'clear'
}

/** The reflectance that is white in a picture. */
const white_reflectance = 0.3

/** Brightness needs red, green and blue with known ends: of the collection, of reflectances, or of 8-bit pictures. */
function chooseBrightness(image: SceneImage): CloudReading {
  const bands = ['red', 'green', 'blue'].flatMap(
    (name) =>
      image.bands.find(({ metadata }) => metadata.common_name === name) ??
      image.bands.find(({ metadata }) => metadata.common_name === null && metadata.colour === name) ??
      [],
  )
  if (bands.length < 3) return { source: null, bands: image.bands.slice(0, 1), chooseClasses: () => null }
  const chooseClasses = (rasters: readonly Raster[]): CountedArea['classify'] | null => {
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
