import { adminUsersListOperation } from '@swath/contract/operations/admin.users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { listUsers } from '../../users/store.for-operators.ts'
import { toUsersForOperator } from '../users/user-for-operator.ts'

export const handler = defineHandler(adminUsersListOperation, async (call, input) => {
  const { organization_id: organization = null, email = null, disabled = null, limit, offset } = input
  const { rows, total } = await listUsers(call.unscoped, { organization, email, disabled, limit, offset })
  return toListPage('users', { rows: await toUsersForOperator(call.unscoped, rows), total }, input)
})
