import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { requireCollection } from '../collections/access.ts'
import { requireItem } from '../items/access.ts'
import { findAssetsOfItem } from '../items/assets/store.assets.ts'
import { requireProject } from '../projects/access.ts'
import { uploadNotFound } from './upload-transitions.ts'
import { findUpload, type UploadRow } from './store.ts'

/**
 * The upload session, if the caller has the permission in its project. Throws `not-found`, and what `requireProject`
 * throws; `allowArchived` permits ending a session of an archived project.
 */
export async function requireUpload(
  call: Call,
  id: string,
  permission: 'read' | 'write',
  options: { readonly allowArchived?: boolean } = {},
): Promise<UploadRow> {
  const row = await findUpload(call.db, call.organization, id)
  if (!row) throw uploadNotFound(id)
  await requireProject(call, row.project_id, permission, options)
  return row
}

/** The collection or item that receives the files of a session. */
export interface UploadTarget {
  readonly project_id: string
  readonly file_count: number
  readonly target_collection_id?: string | null
  readonly target_item_id?: string | null
  readonly asset_key?: string | null
}

/** Asset keys with a reserved meaning. */
const reservedAssetKeys: ReadonlySet<string> = new Set(['thumbnail'])

/**
 * Throws `not-found`, `name-taken`, `gone-retention` or `validation` if the target does not exist, is not in the project,
 * or has the asset key already.
 */
export async function requireUploadTarget(call: Call, target: UploadTarget): Promise<void> {
  const { project_id, target_collection_id: collection, target_item_id: item_id, asset_key: key } = target
  if (collection) await requireCollection(call, collection, 'write', project_id)
  if (key) validateAssetKey(key, target.file_count)
  if (!item_id) return
  const item = await requireItem(call, item_id, 'write')
  if (item.project_id !== project_id)
    throw new Problem('not-found', `The project has no item with the id "${item_id}".`)
  const assets = await findAssetsOfItem(call.db, call.organization, item_id)
  if (key && assets.some((asset) => asset.key === key)) throw createAssetKeyTakenProblem(key)
}

export const createAssetKeyTakenProblem = (key: string): Problem =>
  new Problem('name-taken', `The item already has an asset with the key "${key}".`)

function validateAssetKey(key: string, files: number): void {
  const message = reservedAssetKeys.has(key)
    ? 'is reserved for the thumbnail of a raster'
    : /[\p{Cc}/\\]/u.test(key)
      ? 'has characters that are not allowed in a key'
      : files > 1
        ? 'can name only one asset, but the session has several files'
        : null
  if (message) throw validationProblem([{ path: 'asset_key', message }])
}
