import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../platform/ids.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { AssetToAdd, ItemToAdd } from '../items/add-item.ts'
import { type VectorFile, type VectorLimits, default_vector_limits, geojsonMediaType } from './vector-file.ts'
import { Worker } from 'node:worker_threads'
import type { VectorReadRequest, VectorReadResponse } from './reader-thread.ts'
import { VectorFailure } from './vector-failure.ts'

const default_timeout_ms = 180_000
const default_max_heap_mib = 768

interface VectorReadOptions {
  readonly limits?: Partial<VectorLimits>
  readonly timeout_ms?: number
  /** The heap limit of the thread. */
  readonly max_heap_mib?: number
  readonly signal?: AbortSignal
}

/**
 * Reads GeoJSON, a zipped shapefile, KML or KMZ in its own thread and writes the features to `out` as GeoJSON in WGS 84,
 * one feature per line. Throws `VectorFailure`, whose message says what is wrong with the file and what to do; `out` does
 * not exist then.
 *
 * @param path of the unchecked file; its name does not matter.
 * @param out of a file that does not exist.
 */
export async function readVectorFile(path: string, out: string, options: VectorReadOptions = {}): Promise<VectorFile> {
  const request: VectorReadRequest = { path, out, limits: { ...default_vector_limits, ...options.limits } }
  try {
    return await runInThread(request, options)
  } catch (error) {
    await rm(out, { force: true })
    throw error
  }
}

async function runInThread(request: VectorReadRequest, options: VectorReadOptions): Promise<VectorFile> {
  const thread = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: options.max_heap_mib ?? default_max_heap_mib },
    stdout: true,
    stderr: true,
  })
  const timeoutSignal = AbortSignal.timeout(options.timeout_ms ?? default_timeout_ms)
  const abortSignal = AbortSignal.any([timeoutSignal, ...(options.signal ? [options.signal] : [])])
  try {
    const response = await waitForResponse(thread, abortSignal)
    if ('file' in response) return response.file
    throw new VectorFailure(response.failure.kind, response.failure.message)
  } catch (error) {
    if (timeoutSignal.aborted) throw tooCostly('time', error)
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw tooCostly('memory', error)
    throw error
  } finally {
    await thread.terminate()
  }
}

const tooCostly = (resource: string, cause: unknown): VectorFailure =>
  new VectorFailure('too_large', `Reading the file takes more ${resource} than allowed. Split or simplify it.`, {
    cause,
  })

const waitForResponse = (thread: Worker, abortSignal: AbortSignal): Promise<VectorReadResponse> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(abortSignal.reason as Error)
    if (abortSignal.aborted) abort()
    abortSignal.addEventListener('abort', abort, { once: true })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the vector reader thread exited with ${code}`)))
  })

/** A local vector file whose features are to be stored. */
export interface VectorConversionRequest {
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
 * created afterwards from `toVectorItemFields`.
 */
export async function convertVector(conversion: VectorConversionRequest): Promise<ConvertedVector> {
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

const toFeaturesAsset = (conversion: VectorConversionRequest, file: VectorFile, blob_path: string): AssetToAdd => ({
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
export function toVectorItemFields({ file, asset }: ConvertedVector): Pick<
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
