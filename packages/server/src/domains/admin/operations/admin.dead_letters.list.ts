import { adminDeadLettersListOperation } from '@swath/contract/operations/admin.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { listDeadTasks } from '../../dead-letters/dead-tasks.ts'
import { withOrganizationNames } from '../../organizations/organization-names.ts'

export const handler = defineHandler(adminDeadLettersListOperation, async (call, input) => {
  const organization = input.organization_id?.toLowerCase() ?? null
  const tasks = await listDeadTasks(call, { organization, limit: input.limit })
  return { dead_letters: await withOrganizationNames(call.unscoped, tasks) }
})
