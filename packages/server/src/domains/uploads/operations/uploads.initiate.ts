import { uploadsInitiateOperation } from '@swath/contract/operations/uploads.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { lockOpenProject, requireProject } from '../../projects/access.ts'
import { requireUploadTarget } from '../access.ts'
import { extendUploadExpiry } from '../upload-transitions.ts'
import { computeStorageReservation } from '../reservation.ts'
import { countOpenUploads, insertUpload, type UploadRow } from '../store.ts'
import { toUpload } from '../upload.ts'

export const handler = defineHandler(uploadsInitiateOperation, async (call, input) => {
  const { project_id, transfer_method, file_count, total_bytes, is_categorical } = input
  await requireProject(call, project_id, 'write')
  await requireUploadTarget(call, input)

  return call.transaction(async (tx) => {
    await lockOpenProject(tx, call, project_id)
    const now = call.clock.now()
    const row: UploadRow = {
      organization_id: call.organization,
      id: newId(),
      project_id,
      status: 'initiated',
      transfer_method,
      file_count,
      total_bytes,
      reserved_bytes: await computeStorageReservation(tx, call.organization, total_bytes),
      addressed_bytes: 0,
      addresses_end_at: null,
      bytes_uploaded: 0,
      target_collection_id: input.target_collection_id ?? null,
      target_item_id: input.target_item_id ?? null,
      asset_key: input.asset_key ?? null,
      is_categorical,
      error_message: null,
      error_step: null,
      attempt: 0,
      expires_at: now,
      clean_at: null,
      created_by: call.principal.id,
      created_at: now,
      updated_at: now,
    }
    await requireOpenUploadQuota(tx, call)
    const created = extendUploadExpiry(row, now)
    await insertUpload(tx, created)
    return toUpload(created, [])
  })
})

/**
 * Throws `quota-exceeded` if the organization has too many open sessions; the lock of the storage journal serializes this
 * check.
 */
async function requireOpenUploadQuota(tx: Tx, { organization, quotas, clock }: Call): Promise<void> {
  const max_open = quotas.open_uploads
  if (max_open === 0) return
  const { count, expires_at } = await countOpenUploads(tx, organization)
  if (count < max_open) return
  const now = clock.now().getTime()
  throw new Problem('quota-exceeded', `The organization has ${count} open uploads; complete or cancel one of them.`, {
    retry_after_s: Math.max(1, Math.ceil(((expires_at?.getTime() ?? now) - now) / 1000)),
  })
}
