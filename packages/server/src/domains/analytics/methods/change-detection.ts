import { join } from 'node:path'
import { solveInverseGeodesic } from '@swath/geo/geodesic.ts'
import { applyAffine } from '@swath/geo/affine.ts'
import {
  openRasterFile,
  parseColormap,
  crsToLonLat,
  type AreaChange,
  type AreaChangeResult,
  type Raster,
} from '@swath/raster'
import type { AnalyticsMethodResult } from '@swath/contract/analytics-methods.ts'
import { withWorkFolder } from '../../../platform/work-folder.ts'
import { requireItem } from '../../items/access.ts'
import { rasterReadLimits } from '../../items/search/read-limits.ts'
import { validateArea } from '../../tiles/aoi.ts'
import { getCallerRasterJobRunner, type OrganizationRasterJobRunner } from '../../tiles/raster-pool.ts'
import { withTimeout } from '../../tiles/within-time.ts'
import { openMeasuredRaster } from '../measured-value.ts'
import type { RunAnalyticsMethod } from '../method.ts'
import { storeAnalyticsResultFile } from '../results.ts'
import { fitWindowImageSize } from '../window.ts'
import { finiteOrNull } from '../zone-statistics.ts'

const { decoded_bytes: max_decoded_bytes, ms: timeout_ms } = rasterReadLimits.measurement
const max_image_pixels = 1024

export const computeChangeDetection: RunAnalyticsMethod<'change_detection'> = async (call, params) => {
  const { index_name, change_threshold: threshold, band_mapping } = params
  const area = validateArea(params.geometry, 'geometry')
  const items = [
    await requireItem(call, params.before_item_id, 'read'),
    await requireItem(call, params.after_item_id, 'read'),
  ] as const
  const before = await openMeasuredRaster(call, items[0], { index_name, band_mapping })
  const after = await openMeasuredRaster(call, items[1], { index_name, band_mapping })
  const jobs = getCallerRasterJobRunner(call)
  const { expression, names: bandsBefore } = before.target.formula!
  const { names: bandsAfter } = after.target.formula!
  return withWorkFolder(async (folder) => {
    const path = join(folder, 'change.tif')
    const limit = { workName: 'comparison', timeout_ms, signal: call.signal }
    const request = { path, area, expression, bandsBefore, bandsAfter, threshold, scaled: true, max_decoded_bytes }
    const { change, cog, window } = await withTimeout<AreaChangeResult>(jobs, limit, (signal) =>
      jobs.run('areaChange', [before.raster, after.raster], request, { signal }),
    )
    const bytes = await renderChange(jobs, path, threshold, call.signal)
    const change_raster = await storeAnalyticsResultFile(call, 'change', { extension: 'tif', path, sha256: cog.sha256 })
    const change_image = await storeAnalyticsResultFile(call, 'change', { extension: 'png', bytes })
    const { before_item_id, after_item_id } = params
    const result = {
      before_item_id,
      after_item_id,
      index_name,
      change_threshold: threshold,
      band_mapping: { before: countFromOne(bandsBefore), after: countFromOne(bandsAfter) },
      statistics: toChangeStatistics(change, pixelArea(before.raster, window)),
      change_raster,
      change_image,
    }
    return { result, item_ids: items.map(({ id }) => id), raster_id: change_raster.id }
  })
}

const countFromOne = (bands: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(bands).map(([name, band]) => [name, band + 1]))

function toChangeStatistics(
  change: AreaChange,
  pixel_area_m2: number | null,
): AnalyticsMethodResult<'change_detection'>['statistics'] {
  const { pixels, count, increased, decreased } = change
  const changed = increased + decreased
  return {
    pixel_count: pixels,
    compared_count: count,
    changed_count: changed,
    increased_count: increased,
    decreased_count: decreased,
    unchanged_count: count - changed,
    changed_percent: count > 0 ? (100 * changed) / count : 0,
    mean_change: finiteOrNull(change.mean),
    std_change: finiteOrNull(change.stddev),
    min_change: finiteOrNull(change.minimum),
    max_change: finiteOrNull(change.maximum),
    pixel_area_m2,
    changed_area_m2: pixel_area_m2 === null ? null : changed * pixel_area_m2,
  }
}

/** The area on the ground of the pixel in the middle of a window; null if it has no place. */
function pixelArea(
  { affine, crs }: Raster,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
): number | null {
  const [column, row] = [(x0 + x1) / 2, (y0 + y1) / 2]
  const place = (x: number, y: number) => crsToLonLat(crs, ...applyAffine(affine, x, y))
  const width = solveInverseGeodesic(...place(column - 0.5, row), ...place(column + 0.5, row))?.metres
  const height = solveInverseGeodesic(...place(column, row - 0.5), ...place(column, row + 0.5))?.metres
  return width && height ? width * height : null
}

/** The change raster as PNG: white where nothing changed, full colour at three times the threshold. */
async function renderChange(
  jobs: OrganizationRasterJobRunner,
  path: string,
  threshold: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const raster = await openRasterFile(path, { signal })
  try {
    const end = threshold > 0 ? 3 * threshold : 1
    const style = { kind: 'bands', ranges: [[-end, end]], colormap: parseColormap('RdBu') } as const
    const request = {
      ...fitWindowImageSize([0, 0, raster.width, raster.height], max_image_pixels),
      bands: [0],
      style,
      format: 'png',
    } as const
    return await jobs.run('renderPreview', [raster], request, { signal })
  } finally {
    await raster.source.close()
  }
}
