import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../platform/ids.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { AddedAsset, AddedItem } from '../items/add-item.ts'
import { readVectors } from './read-vectors.ts'
import { geojsonType, type VectorFile } from './vector-file.ts'

/** A local vector file whose features are to be stored. */
export interface VectorWork {
  readonly blobs: Blobs
  readonly path: string
  /** The file name of its sender. */
  readonly file_name: string
  readonly asset_key: string
  /** The local directory for temporary files. */
  readonly folder: string
  /** The prefix in the object store. */
  readonly blob_folder: string
  readonly signal: AbortSignal
}

export interface DevelopedVector {
  readonly file: VectorFile
  /** The features as a GeoJSON blob, with the columns of the STAC table extension. */
  readonly asset: AddedAsset
}

/**
 * Converts a vector file to GeoJSON and stores it. Throws `VectorFailure`. Call it outside of a transaction: the item is
 * created afterwards from `vectorItemFields`.
 */
export async function developVector(work: VectorWork): Promise<DevelopedVector> {
  const path = join(work.folder, newId())
  try {
    const file = await readVectors(work.path, path, { signal: work.signal })
    const blob_path = `${work.blob_folder}/data.geojson`
    await work.blobs.putFile(blob_path, path, geojsonType)
    return { file, asset: assetOf(work, file, blob_path) }
  } finally {
    await rm(path, { force: true })
  }
}

const assetOf = (work: VectorWork, file: VectorFile, blob_path: string): AddedAsset => ({
  id: newId(),
  key: work.asset_key,
  title: work.file_name.slice(-200),
  blob_path,
  media_type: geojsonType,
  roles: ['data'],
  file_size_bytes: file.size,
  checksum_sha256: file.checksum_sha256,
  raster: null,
  stac: { 'table:row_count': file.features, 'table:columns': file.fields },
})

/** The item fields that follow from the features: geometry, times and the asset. */
export function vectorItem({ file, asset }: DevelopedVector): Pick<
  AddedItem,
  'geometry' | 'bbox' | 'datetime' | 'start_datetime' | 'end_datetime'
> & {
  readonly assets: readonly AddedAsset[]
} {
  const [start, end] = [file.start, file.end].map((time) => (time === null ? null : new Date(time)))
  const isSpan = file.start !== file.end
  return {
    geometry: file.geometry,
    bbox: file.bbox,
    datetime: isSpan ? null : start!,
    ...(isSpan ? { start_datetime: start!, end_datetime: end! } : {}),
    assets: [asset],
  }
}
