import type { SceneInfo } from '@swath/contract/schemas/catalog.ts'
import type { Crs } from '@swath/raster'
import type { Call } from '../../../engine/call.ts'
import { readRasterMetadata } from '../../items/assets/read-raster-metadata.ts'
import { createRasterReadBudget } from '../../items/search/read-limits.ts'
import { convertRasterFailures } from '../../tiles/failures.ts'
import { computeZoomRangeAndBounds } from '../../tiles/zoom.ts'
import { computePreviewMaxZoom } from './preview-zoom.ts'
import { openSceneFile, type SceneImage } from './scene-image.ts'

/** Describes a scene for rendering: all of its bands, and the grid of the file with the red band, else of the first. */
export async function describeSceneInfo(call: Call, image: SceneImage): Promise<SceneInfo> {
  const { scene, collection, bands } = image
  const { file } = bands.find(({ metadata }) => metadata.common_name === 'red') ?? bands[0]!
  const { raster } = await openSceneFile(call, file, createRasterReadBudget('opening'))
  return convertRasterFailures(async () => {
    const metadata = readRasterMetadata(raster)
    const { bounds, minzoom, maxzoom } = computeZoomRangeAndBounds(metadata)
    const { gsd = collection?.gsd } = scene.properties
    const shown = image.is_preview ? Math.min(maxzoom, computePreviewMaxZoom(raster)) : maxzoom
    return {
      scene_id: scene.id,
      bounds,
      minzoom: Math.min(minzoom, shown),
      maxzoom: shown,
      bands: bands.map(({ metadata: band }, index) => ({
        name: band.name ?? `b${index + 1}`,
        description: band.common_name,
      })),
      dtype: metadata.data_type,
      nodata: typeof metadata.nodata === 'number' ? metadata.nodata : null,
      crs: describeSceneCrs(raster.crs, scene.properties),
      gsd: typeof gsd === 'number' ? gsd : null,
    }
  })
}

/** Placeholder names in files for a coordinate system that is defined without a name. */
const unnamed = /^(unknown|unnamed|undefined|)$/i

/**
 * The coordinate system of a scene: the code of its file, else the one that the host states (`proj:code`, or `proj:epsg` of
 * the extension before it), else the name in the file, or the definition (PROJ) of one without a name.
 */
export function describeSceneCrs({ epsg, name, proj4 }: Crs, properties: Readonly<Record<string, unknown>>): string {
  if (epsg !== null) return `EPSG:${epsg}`
  const { 'proj:code': code, 'proj:epsg': stated_epsg } = properties
  if (typeof code === 'string' && /^\w+:\w+$/.test(code)) return code
  if (Number.isSafeInteger(stated_epsg)) return `EPSG:${String(stated_epsg)}`
  return unnamed.test(name.trim()) ? (proj4 ?? name) : name
}
