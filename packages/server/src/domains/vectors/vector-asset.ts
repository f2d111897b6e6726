import type { Call } from '../../engine/call.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { invariant, Problem } from '../../engine/problem.ts'
import type { AssetRow } from '../items/store.assets.ts'
import { askDesk, type RequestOf, type ValueOf } from './desk/desk.ts'
import type { DeskJob } from './desk/desk-thread.ts'
import { geojsonType, type Field, type FieldType } from './vector-file.ts'

/** True for an asset with stored features. */
export const isVector = (asset: Pick<AssetRow, 'ready' | 'blob_path' | 'media_type'>): boolean =>
  asset.ready && asset.blob_path !== null && asset.media_type === geojsonType

/**
 * The requested vector asset: the one with the key, else the first of the item. Throws `not-found` for an unknown key,
 * `unsupported-vector` if there are no features.
 */
export function requireVectorAsset(assets: readonly AssetRow[], key: string | null): AssetRow {
  if (key !== null) {
    const named = assets.find((asset) => asset.key === key)
    if (!named) throw new Problem('not-found', `The item has no asset with the key "${key}".`)
    if (!isVector(named)) throw new Problem('unsupported-vector', `The asset "${key}" has no vector features.`)
    return named
  }
  const found = assets.find(isVector)
  if (!found) throw new Problem('unsupported-vector', 'The item has no vector features.')
  return found
}

/** Runs a job on the features of an asset in the vector worker; does not check permissions. */
export function askFeatures<Job extends DeskJob>(
  call: Pick<Call, 'blobs' | 'principal' | 'signal'>,
  asset: AssetRow,
  job: Job,
  request: RequestOf<Job>,
): Promise<ValueOf<Job>> {
  const { blob_path, file_size_bytes, checksum_sha256 } = asset
  invariant(blob_path !== null && file_size_bytes !== null, 'the features of an asset are stored')
  const place = {
    id: `${blob_path} ${checksum_sha256 ?? asset.updated_at.getTime()}`,
    size: file_size_bytes,
    path: call.blobs.localPath(blob_path),
  }
  const fetchBytes = () => call.blobs.read(blob_path, 0, file_size_bytes).then(owned)
  return askDesk(ownerOf(call), { job, place, request, fetchBytes, signal: call.signal })
}

/** A copy that can be transferred to the worker. */
const owned = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

/** The fields of the features, as stored at conversion (`table:columns`). */
export function fieldsOf({ stac }: Pick<AssetRow, 'stac'>): Field[] {
  const columns = stac['table:columns']
  if (!Array.isArray(columns)) return []
  return (columns as { name?: unknown; type?: unknown }[]).flatMap(({ name, type }) =>
    typeof name === 'string' ? [{ name, type: (type ?? 'mixed') as FieldType }] : [],
  )
}
