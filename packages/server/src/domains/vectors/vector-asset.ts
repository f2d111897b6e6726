import type { Call } from '../../engine/call.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { invariant, Problem } from '../../engine/problem.ts'
import type { AssetRow } from '../items/store.assets.ts'
import { askDesk, type RequestOf, type ValueOf } from './desk/desk.ts'
import type { DeskJob } from './desk/desk-thread.ts'
import { geojsonType, type Field, type FieldType } from './vector-file.ts'

/** True for an asset whose features lie in the blobs. */
export const isVector = (asset: Pick<AssetRow, 'ready' | 'blob_path' | 'media_type'>): boolean =>
  asset.ready && asset.blob_path !== null && asset.media_type === geojsonType

/**
 * The asset whose features are meant: the one with the key, else the first of the item. Throws `not-found` for a key
 * that the item does not have, `unsupported-vector` where there are no features.
 */
export function requireVectorAsset(assets: readonly AssetRow[], key: string | null): AssetRow {
  if (key !== null) {
    const named = assets.find((asset) => asset.key === key)
    if (!named) throw new Problem('not-found', `The item has no asset with the key "${key}".`)
    if (!isVector(named)) throw new Problem('unsupported-vector', `The asset "${key}" holds no vector features.`)
    return named
  }
  const found = assets.find(isVector)
  if (!found) throw new Problem('unsupported-vector', 'The item holds no vector features.')
  return found
}

/** Has the desk do a job on the features of an asset; checks nobody's rights. */
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

/** A buffer of its own, which can be handed over. */
const owned = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes)

/** The properties of the features as they were told when they were read (`table:columns`). */
export function fieldsOf({ stac }: Pick<AssetRow, 'stac'>): Field[] {
  const columns = stac['table:columns']
  if (!Array.isArray(columns)) return []
  return (columns as { name?: unknown; type?: unknown }[]).flatMap(({ name, type }) =>
    typeof name === 'string' ? [{ name, type: (type ?? 'mixed') as FieldType }] : [],
  )
}
