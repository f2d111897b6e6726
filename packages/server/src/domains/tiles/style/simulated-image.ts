import { openFileSource, openRaster } from '@swath/raster'
import type { WriteSimulatedImage } from '../../../platform/integrations/hosts/constellation/acquired-scene.ts'
import type { RasterService } from '../raster-pool.ts'

/** Writes the images of the simulated constellation in the raster threads, after the work of organizations. */
export const createSimulatedImageWriter =
  (rasters: RasterService): WriteSimulatedImage =>
  async ({ source_path, ...image }, path, signal) => {
    const source = await openFileSource(source_path)
    try {
      const jobs = rasters.forOwner({ organization: 'constellation', background: true })
      await jobs.run('relocateToCog', [await openRaster(source)], { ...image, path }, { signal })
    } finally {
      await source.close()
    }
  }
