import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../platform/ids.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { AssetToAdd, ItemToAdd } from '../items/add-item.ts'
import { readVectorFile } from './read-vectors.ts'
import { geojsonMediaType, type VectorFile } from './vector-file.ts'

/** A local vector file whose features are to be stored. */
export interface VectorConversion {
  readonly blobs: BlobStore
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

export interface ConvertedVector {
  readonly file: VectorFile
  /** The features as a GeoJSON blob, with the columns of the STAC table extension. */
  readonly asset: AssetToAdd
}

/**
 * Converts a vector file to GeoJSON and stores it. Throws `VectorFailure`. Call it outside of a transaction: the item is
 * created afterwards from `vectorItemFields`.
 */
export async function convertVector(conversion: VectorConversion): Promise<ConvertedVector> {
  const path = join(conversion.folder, newId())
  try {
    const file = await readVectorFile(conversion.path, path, { signal: conversion.signal })
    const blob_path = `${conversion.blob_folder}/data.geojson`
    await conversion.blobs.putFile(blob_path, path, geojsonMediaType)
    return { file, asset: toFeaturesAsset(conversion, file, blob_path) }
  } finally {
    await rm(path, { force: true })
  }
}

const toFeaturesAsset = (conversion: VectorConversion, file: VectorFile, blob_path: string): AssetToAdd => ({
  id: newId(),
  key: conversion.asset_key,
  title: conversion.file_name.slice(-200),
  blob_path,
  media_type: geojsonMediaType,
  roles: ['data'],
  file_size_bytes: file.size,
  checksum_sha256: file.checksum_sha256,
  raster: null,
  stac: { 'table:row_count': file.features, 'table:columns': file.fields },
})

/** The item fields that follow from the features: geometry, times and the asset. */
export function vectorItemFields({ file, asset }: ConvertedVector): Pick<
  ItemToAdd,
  'geometry' | 'bbox' | 'datetime' | 'start_datetime' | 'end_datetime'
> & {
  readonly assets: readonly AssetToAdd[]
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
