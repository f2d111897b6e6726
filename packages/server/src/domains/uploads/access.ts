import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { requireCollection } from '../collections/access.ts'
import { requireItem } from '../items/access.ts'
import { assetsOf } from '../items/store.assets.ts'
import { requireProject } from '../projects/access.ts'
import { missingUpload } from './moves.ts'
import { findUpload, type UploadRow } from './store.ts'

/**
 * The session, when the caller may do what it needs in its project. 404 `not-found`; what the project refuses, but
 * ending a session (`allowArchived`) an archived one allows.
 */
export async function requireUpload(
  call: Call,
  id: string,
  need: 'read' | 'write',
  options: { readonly allowArchived?: boolean } = {},
): Promise<UploadRow> {
  const row = await findUpload(call.db, call.organization, id)
  if (!row) throw missingUpload(id)
  await requireProject(call, row.project_id, need, options)
  return row
}

/** Where the files of a session are to go. */
export interface Target {
  readonly project_id: string
  readonly file_count: number
  readonly target_collection_id?: string | null
  readonly target_item_id?: string | null
  readonly asset_key?: string | null
}

/** Keys that mean something of their own. */
const ownKeys: ReadonlySet<string> = new Set(['thumbnail'])

/**
 * Refuses a target that is not there, is not in the project or has the key already: `not-found`, `name-taken`,
 * `gone-retention`, `validation`.
 */
export async function requireTarget(call: Call, target: Target): Promise<void> {
  const { project_id, target_collection_id: collection, target_item_id: item_id, asset_key: key } = target
  if (collection) await requireCollection(call, collection, 'write', project_id)
  if (key) checkKey(key, target.file_count)
  if (!item_id) return
  const item = await requireItem(call, item_id, 'write')
  if (item.project_id !== project_id)
    throw new Problem('not-found', `The project has no item with the id "${item_id}".`)
  const assets = await assetsOf(call.db, call.organization, item_id)
  if (key && assets.some((asset) => asset.key === key)) throw keyTaken(key)
}

export const keyTaken = (key: string): Problem =>
  new Problem('name-taken', `The item already has an asset with the key "${key}".`)

function checkKey(key: string, files: number): void {
  const message = ownKeys.has(key)
    ? 'is the key of the picture that every raster gets'
    : /[\p{Cc}/\\]/u.test(key)
      ? 'has characters that a key cannot have'
      : files > 1
        ? 'names one asset, and the session has several files'
        : null
  if (message) throw validationProblem([{ path: 'asset_key', message }])
}
