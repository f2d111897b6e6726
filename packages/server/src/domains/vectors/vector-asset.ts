import type { Call } from '../../engine/call.ts'
import { assertInvariant, Problem } from '../../engine/problem.ts'
import type { AssetRow } from '../items/assets/store.assets.ts'
import { getCallerVectorJobRunner, type VectorJobInput, type VectorJobResult } from './vector-worker/vector-worker.ts'
import type { VectorJobName } from './vector-worker/worker-thread.ts'
import { geojsonMediaType, type VectorField, type VectorFieldType } from './vector-file.ts'

/** True for an asset with stored features. */
export const isVectorAsset = (asset: Pick<AssetRow, 'ready' | 'blob_path' | 'media_type'>): boolean =>
  asset.ready && asset.blob_path !== null && asset.media_type === geojsonMediaType

/**
 * The requested vector asset: the one with the key, else the first of the item. Throws `not-found` for an unknown key,
 * `unsupported-vector` if there are no features.
 */
export function requireVectorAsset(assets: readonly AssetRow[], key: string | null): AssetRow {
  if (key !== null) {
    const requested = assets.find((asset) => asset.key === key)
    if (!requested) throw new Problem('not-found', `The item has no asset with the key "${key}".`)
    if (!isVectorAsset(requested)) throw new Problem('unsupported-vector', `The asset "${key}" has no vector features.`)
    return requested
  }
  const first = assets.find(isVectorAsset)
  if (!first) throw new Problem('unsupported-vector', 'The item has no vector features.')
  return first
}

/** Runs a job on the features of an asset in the vector worker; does not check permissions. */
export function runFeatureJob<Job extends VectorJobName>(
  call: Pick<Call, 'blobs' | 'principal' | 'processServices' | 'signal'>,
  asset: AssetRow,
  job: Job,
  request: VectorJobInput<Job>,
): Promise<VectorJobResult<Job>> {
  const { blob_path, file_size_bytes, checksum_sha256 } = asset
  assertInvariant(blob_path !== null && file_size_bytes !== null, 'the features of an asset are stored')
  const location = {
    id: `${blob_path} ${checksum_sha256 ?? asset.updated_at.getTime()}`,
    size: file_size_bytes,
    path: call.blobs.localPath(blob_path),
  }
  const fetchBytes = () => call.blobs.read(blob_path, 0, file_size_bytes).then(copyBytes)
  return getCallerVectorJobRunner(call).run({ job, place: location, request, fetchBytes, signal: call.signal })
}

/** A copy that can be transferred to the worker. */
const copyBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

/** The fields of the features, as stored at conversion (`table:columns`). */
export function listVectorFields({ stac }: Pick<AssetRow, 'stac'>): VectorField[] {
  const columns = stac['table:columns']
  if (!Array.isArray(columns)) return []
  return (columns as { name?: unknown; type?: unknown }[]).flatMap(({ name, type }) =>
    typeof name === 'string' ? [{ name, type: (type ?? 'mixed') as VectorFieldType }] : [],
  )
}
