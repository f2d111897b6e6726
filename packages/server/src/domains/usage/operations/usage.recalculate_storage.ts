import { usageRecalculateStorageOperation } from '@swath/contract/operations/usage.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireOwnOrganization } from '../../organizations/membership.ts'
import { resetStorageTotal } from '../store.activity.ts'
import { lockStoredBytes, readStoredFileBytes } from '../stored-bytes.ts'

const managers: ReadonlySet<string | null> = new Set(['owner', 'admin'])

export const recalculateStorage = defineHandler(usageRecalculateStorageOperation, async (call, input) => {
  requireOwnOrganization(call, input.organization_id)
  if (call.principal.kind === 'human' && !managers.has(call.principal.role))
    throw new Problem('forbidden', 'Only owners and admins of an organization may recalculate its stored bytes.')
  const { organization } = call
  return call.transaction(async (tx) => {
    await lockStoredBytes(tx, organization)
    const previous_storage_bytes = await readStoredFileBytes(tx, organization)
    return {
      organization_id: organization,
      storage_bytes: await resetStorageTotal(tx, organization),
      previous_storage_bytes,
    }
  })
})
