import type { CogResult, Raster } from '@swath/raster'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import type { OrganizationRasterJobRunner } from '../../tiles/raster-pool.ts'
import type { ExportPlanAsset, RasterPlanAsset, VectorPlanAsset } from '../job-plan.ts'

/** The context in which a job computes and stores its files. */
export interface JobResultWriter {
  readonly organization: string
  /** The id of this run in the paths of the folders in blob storage that it writes (`getRunFolder`). */
  readonly run: string
  readonly blobs: BlobStore
  readonly jobs: OrganizationRasterJobRunner
  /** The folder for temporary files. */
  readonly folder: string
  readonly signal: AbortSignal
  /** Writes the file of an asset as a cloud-optimized GeoTIFF. */
  createCog(asset: RasterPlanAsset, path: string): Promise<CogResult>
  /** Writes the file of an asset as GeoJSON; returns the number of features. */
  createFeatures(asset: VectorPlanAsset, path: string): Promise<number>
  /** Writes the file of an asset in another format, a Zarr store as a folder; returns the raster that was written. */
  createExport(asset: ExportPlanAsset, path: string): Promise<Raster>
}
