import { uploadsInitiate } from '@swath/contract/operations/uploads.ts'
import { handler } from '../../engine/handler.ts'
import { newId } from '../../platform/ids.ts'
import { keepProjectOpen, requireProject } from '../projects/access.ts'
import { requireTarget } from './access.ts'
import { touched } from './moves.ts'
import { reservable } from './reservation.ts'
import { insertUpload, type UploadRow } from './store.ts'
import { uploadOf } from './upload.ts'

export const openUpload = handler(uploadsInitiate, async (call, input) => {
  const { project_id, transfer_method, file_count, total_bytes, is_categorical } = input
  await requireProject(call, project_id, 'write')
  await requireTarget(call, input)

  return call.transaction(async (tx) => {
    await keepProjectOpen(tx, call, project_id)
    const now = call.clock.now(call.organization)
    const row: UploadRow = {
      organization_id: call.organization,
      id: newId(),
      project_id,
      status: 'initiated',
      transfer_method,
      file_count,
      total_bytes,
      reserved_bytes: await reservable(tx, call.organization, total_bytes),
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
    const opened = touched(row, now)
    await insertUpload(tx, opened)
    return uploadOf(opened, [])
  })
})
