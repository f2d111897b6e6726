import { maskOutsideInTile, type PixelBlock, type RescaleRange } from '@swath/raster'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Tile } from '@swath/geo/tile-grid.ts'
import type { Call } from '../../../engine/call.ts'
import { readLimits } from '../../items/search/read-limits.ts'
import { rasterJobsOf } from '../../rendering/raster-pool.ts'
import { withTimeout } from '../../rendering/within-time.ts'
import { rowWeights, tilesOfArea } from './aoi-tiles.ts'
import { findCloudMask, type CloudMask } from './cloud-classes.ts'
import { previewMaxZoom } from './preview-zoom.ts'
import type { SceneBand, SceneImage } from './scene-image.ts'
import { openBands } from './scene-tile.ts'

export interface CloudInArea {
  readonly source: 'cloud-mask' | 'brightness'
  readonly measured_percent: number
  /** Null without pixels. */
  readonly cloud_percent: number | null
  readonly haze_percent: number | null
}

/** What a pixel is, by its samples in the order of the bands. */
type PixelClass = 'fill' | 'clear' | 'cloud' | 'haze'

interface CloudReading {
  readonly source: CloudInArea['source']
  readonly bands: readonly SceneBand[]
  readonly classify: (samples: readonly number[]) => PixelClass
}

/** Measures cloud within an area by the mask of the scene, else by its brightness; null if it has neither. */
export async function measureCloudInArea(
  call: Call,
  image: SceneImage,
  area: AreaGeometry,
): Promise<CloudInArea | null> {
  const reading = chooseReading(image)
  if (!reading) return null
  const { rasters, bands } = await openBands(call, reading.bands)
  const max_zoom = image.is_preview ? Math.min(...rasters.map(previewMaxZoom)) : undefined
  const jobs = rasterJobsOf(call)
  const totals = { area: 0, fill: 0, clear: 0, cloud: 0, haze: 0 }
  const limit = { workName: 'score', timeout_ms: readLimits.measurement.ms, signal: call.signal }
  await withTimeout(jobs, limit, async (signal) => {
    for (const tile of tilesOfArea(area, max_zoom)) {
      const blocks: PixelBlock[] = []
      for (const { raster, band } of bands) {
        const request = { ...tile, size: 256, bands: [band], resampling: 'nearest' } as const
        blocks.push(await jobs.run('tile', [rasters[raster]!], request, { signal }))
      }
      countTile(totals, tile, blocks, { area, classify: reading.classify })
    }
  })
  const measured = totals.clear + totals.cloud + totals.haze
  const share = (part: number): number | null => (measured > 0 ? toPercent(part / measured) : null)
  return {
    source: reading.source,
    measured_percent: totals.area > 0 ? toPercent(measured / totals.area) : 0,
    cloud_percent: share(totals.cloud),
    haze_percent: reading.source === 'cloud-mask' ? share(totals.haze) : null,
  }
}

/** A percentage with two decimals. */
export const toPercent = (fraction: number): number => Math.round(Math.min(1, Math.max(0, fraction)) * 10_000) / 100

function countTile(
  totals: Record<PixelClass | 'area', number>,
  tile: Tile,
  blocks: readonly PixelBlock[],
  { area, classify }: { readonly area: AreaGeometry; readonly classify: CloudReading['classify'] },
): void {
  const { width, height } = blocks[0]!
  const inside = new Uint8Array(width * height).fill(255)
  maskOutsideInTile(inside, width, tile, area)
  const weights = rowWeights(tile)
  for (let pixel = 0; pixel < inside.length; pixel += 1) {
    if (inside[pixel] === 0) continue
    const weight = weights[Math.floor(pixel / width)]!
    totals.area += weight
    if (blocks.every(({ mask }) => mask[pixel] !== 0))
      totals[classify(blocks.map(({ data }) => data[pixel]!))] += weight
  }
}

function chooseReading(image: SceneImage): CloudReading | null {
  const found = findCloudMask(image.bands)
  return found
    ? { source: 'cloud-mask', bands: [found.band], classify: ([value]) => classifyMask(found.mask, value!) }
    : chooseBrightness(image)
}

function classifyMask(mask: CloudMask, value: number): PixelClass {
  if (mask.isFill(value)) return 'fill'
  if (mask.isCloud(value)) return 'cloud'
  return mask.isHaze(value) ? 'haze' : 'clear'
}

/** The reflectance that is white in a picture. */
const white_reflectance = 0.3
/** A pixel is cloud if its darkest colour is this bright, and its colours differ by no more than this share. */
const min_brightness = 0.75
const max_colourfulness = 0.15

/** Brightness needs red, green and blue with known ends: of the collection, of reflectances, or of 8-bit pictures. */
function chooseBrightness(image: SceneImage): CloudReading | null {
  const bands = ['red', 'green', 'blue'].flatMap(
    (name) => image.bands.find(({ metadata }) => metadata.common_name === name) ?? [],
  )
  const range = bands.length === 3 ? brightnessRange(image, bands) : null
  if (!range) return null
  const [black, white] = range
  return {
    source: 'brightness',
    bands,
    classify: (samples) => {
      const colours = samples.map((sample) => Math.min(1, Math.max(0, (sample - black) / (white - black))))
      const [darkest, brightest] = [Math.min(...colours), Math.max(...colours)]
      return darkest >= min_brightness && brightest - darkest <= max_colourfulness * brightest ? 'cloud' : 'clear'
    },
  }
}

function brightnessRange({ collection }: SceneImage, bands: readonly SceneBand[]): RescaleRange | null {
  const stated = /^(-?[\d.]+),(-?[\d.]+)$/.exec(String(collection?.render_params['rescale'] ?? ''))
  if (stated && Number(stated[1]) < Number(stated[2])) return [Number(stated[1]), Number(stated[2])]
  const { scale, offset } = bands[0]!.metadata
  return scale !== 1 && scale > 0 ? [-offset / scale, (white_reflectance - offset) / scale] : null
}
