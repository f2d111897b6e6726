import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../platform/ids.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { AddedAsset, AddedItem } from '../items/add-item.ts'
import { readVectors } from './read-vectors.ts'
import { geojsonType, type VectorFile } from './vector-file.ts'

/** A vector file on this machine whose features are to be kept. */
export interface VectorWork {
  readonly blobs: Blobs
  readonly path: string
  /** What it is called by its sender. */
  readonly file_name: string
  readonly asset_key: string
  /** Of this machine, for what is made. */
  readonly folder: string
  /** In storage, for what is kept. */
  readonly blob_folder: string
  readonly signal: AbortSignal
}

export interface DevelopedVector {
  readonly file: VectorFile
  /** The features as GeoJSON in the blobs, whose columns STAC calls a table's. */
  readonly asset: AddedAsset
}

/**
 * Reads the features of a vector file and stores them as GeoJSON. Throws `VectorFailure`. In no transaction: the item is
 * made afterwards, of `vectorItem`.
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

/** What an item of these features is told by: place, times and the asset; its maker adds the rest. */
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
