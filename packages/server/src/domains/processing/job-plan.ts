import {
  isExportProcess,
  isVectorProcess,
  type ExportProcess,
  type RasterProcess,
  type VectorProcess,
} from '@swath/raster'
import type { BandNameOverride } from '../items/assets/read-raster-metadata.ts'
import { getItemFolder } from '../items/item-folder.ts'
import type { PlannedVisualizationProfile } from './process-definition.ts'

// The plan of a job as it is stored: everything that a run needs to know, whoever may read the sources by then.

/** A file that a job reads. */
export interface JobPlanSource {
  readonly item_id: string
  readonly asset_id: string
  readonly asset_key: string
  /** SHA-256 of its bytes when the job was created; null for a file hosted elsewhere. */
  readonly sha256: string | null
}

/** A file that a job writes. */
export type JobPlanAsset = RasterPlanAsset | VectorPlanAsset | ExportPlanAsset

interface PlanFile {
  readonly key: string
  readonly title: string | null
  /** Indexes into the sources of the plan. */
  readonly sources: readonly number[]
  readonly bands: readonly BandNameOverride[]
  readonly is_categorical: boolean
  /** Pixels times bands, which the price was computed from; undefined in jobs of earlier versions. */
  readonly samples?: number
}

/** A file of pixels. */
export interface RasterPlanAsset extends PlanFile {
  readonly process: RasterProcess
}

/** A file of features. */
export interface VectorPlanAsset extends PlanFile {
  readonly process: VectorProcess
}

/** A raster in another format than a cloud-optimized GeoTIFF. */
export interface ExportPlanAsset extends PlanFile {
  readonly process: ExportProcess
}

export const isVectorPlanAsset = (asset: JobPlanAsset): asset is VectorPlanAsset => isVectorProcess(asset.process)

export const isExportPlanAsset = (asset: JobPlanAsset): asset is ExportPlanAsset => isExportProcess(asset.process)

export const isRasterPlanAsset = (asset: JobPlanAsset): asset is RasterPlanAsset =>
  !isVectorPlanAsset(asset) && !isExportPlanAsset(asset)

/** An item that a job writes. */
export interface JobPlanItem {
  readonly id: string
  readonly name: string
  readonly type: 'clip' | 'derived_raster' | 'derived_vector'
  /** The ids of the items that it is derived from. */
  readonly from: readonly string[]
  readonly datetime: string | null
  readonly start_datetime: string | null
  readonly end_datetime: string | null
  readonly properties: Readonly<Record<string, unknown>>
  readonly assets: readonly JobPlanAsset[]
  readonly style?: PlannedVisualizationProfile
}

/** A file as its worker has named it; null without a checksum. */
export interface RegisteredOutput {
  readonly object_path: string
  readonly sha256: string | null
}

export interface JobPlan {
  /** The time limit of one attempt; undefined in jobs of earlier versions. */
  readonly time_limit_s?: number
  /** The name of the collection that is created for the results; undefined: they go into that of the job, if it has one. */
  readonly results_collection?: string
  /** The files that the outside worker has registered; undefined before. */
  readonly registered_outputs?: readonly RegisteredOutput[]
  readonly sources: readonly JobPlanSource[]
  readonly items: readonly JobPlanItem[]
}

/**
 * The folder of the files of an item that one run has stored. Each run has its own, so that none replaces the files that
 * another one has registered.
 *
 * @param run an id.
 */
export const getRunFolder = (organization: string, item: string, run: string): string =>
  `${getItemFolder(organization, item)}/${run}`

/** The folder of the files that an outside worker uploads for a job. */
export const getJobUploadFolder = (organization: string, job: string): string =>
  `organizations/${organization}/jobs/${job}`
