import { usageRecalculateStorageOperation } from '@swath/contract/operations/usage.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { updateStorageTotal } from '../store.activity.ts'
import { lockStorageJournal, sumStoredFileBytes } from '../stored-bytes.ts'

export const handler = defineHandler(usageRecalculateStorageOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  const { organization } = call
  return call.transaction(async (tx) => {
    await lockStorageJournal(tx, organization)
    const previous_storage_bytes = await sumStoredFileBytes(tx, organization)
    return {
      organization_id: organization,
      storage_bytes: await updateStorageTotal(tx, organization),
      previous_storage_bytes,
    }
  })
})
