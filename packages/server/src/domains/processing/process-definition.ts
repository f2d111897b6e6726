import type { Static, TObject } from 'typebox'
import type { FeatureFlagName } from '@swath/contract/feature-flags.ts'
import type { ExportProcess, RasterProcess, VectorProcess } from '@swath/raster'
import type { BandNameOverride } from '../items/assets/read-raster-metadata.ts'
import type { AssetRow } from '../items/assets/store.assets.ts'
import type { ItemRow } from '../items/store.ts'

/** An item that a process reads, with the assets that are rasters. */
export interface SourceItem {
  readonly item: ItemRow
  readonly assets: readonly AssetRow[]
}

/** One raster that a process reads. */
export interface SourceAsset {
  readonly item: ItemRow
  readonly asset: AssetRow
}

/** Reads what the inputs of a process refer to; checks the permissions of the caller. */
export interface ProcessInputReader {
  /**
   * An item by its id, or by the URL of its STAC Feature. Throws `not-found`, `not-a-member`, `gone-retention` or
   * `unsupported-raster` for an item without rasters.
   */
  item(reference: string): Promise<SourceItem>
}

/** One file of a planned item. */
export interface PlannedAsset {
  readonly key: string
  readonly title: string | null
  readonly sources: readonly SourceAsset[]
  readonly process: RasterProcess | VectorProcess | ExportProcess
  /** Names of the bands of the result, which the files may lack. */
  readonly bands: readonly BandNameOverride[]
  readonly is_categorical: boolean
}

/** The style of a result of one band, if the process defines the meaning of its values. */
export interface PlannedVisualizationProfile {
  readonly name: string
  readonly range: readonly [min: number, max: number]
  readonly colormap: string
}

/** An item that a process writes. */
export interface PlannedItem {
  readonly name: string
  readonly type: 'clip' | 'derived_raster' | 'derived_vector'
  /** The items that it is derived from. */
  readonly from: readonly ItemRow[]
  readonly assets: readonly PlannedAsset[]
  /** Its default visualization profile; without one it is drawn as any raster. */
  readonly style?: PlannedVisualizationProfile
}

/** A process that can be executed; one row of the registry. */
export interface ProcessDefinition<Inputs extends TObject = TObject> {
  readonly id: string
  /** Other ids by which clients know it. */
  readonly aliases?: readonly string[]
  readonly title: string
  readonly description: string
  /** Rises when equal inputs no longer give equal results. */
  readonly version: string
  readonly category: 'enhancement' | 'analytics' | 'conversion'
  readonly inputs: Inputs
  /** The media type of the files that are written; default: cloud-optimized GeoTIFF. */
  readonly output_media_type?: string
  /** Per million samples of the results, or of the image that features are made of, rounded up for the whole job. */
  readonly credits_per_megasample: number
  /** The feature flag without which these inputs are refused, and the input that asks for it; null if they need none. */
  readonly requiredFeature?: (
    inputs: Static<Inputs>,
  ) => { readonly flag: FeatureFlagName; readonly path: string } | null
  /**
   * Plans the items to write and the assets that they are made from. Reads no pixels. Throws `validation` for inputs
   * that the schema cannot refuse, such as bands that the item does not have.
   */
  plan(inputs: Static<Inputs>, sources: ProcessInputReader): Promise<readonly PlannedItem[]>
}

/** Declares a process with typed inputs. */
export const defineProcess = <Inputs extends TObject>(definition: ProcessDefinition<Inputs>): ProcessDefinition =>
  definition as unknown as ProcessDefinition
