import { adminUsersImpersonateOperation } from '@swath/contract/operations/admin.users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { isMember } from '../../organizations/store.ts'
import { startImpersonation } from '../../identity/impersonation/start-impersonation.ts'
import { requireUserForOperator, toUserForOperator } from '../user-for-operator.ts'

export const handler = defineHandler(adminUsersImpersonateOperation, async (call, input) => {
  const user = await requireUserForOperator(call, input.user_id)
  const organization_id = input.organization_id.toLowerCase()
  if (!(await isMember(call.unscoped, organization_id, user.id)))
    throw new Problem('not-found', `No member of the organization has the id "${input.user_id}".`)
  if (user.is_administrator || user.disabled_at !== null)
    throw new Problem('forbidden', 'Operators and disabled users cannot be impersonated.')
  const { reason, minutes } = input
  const { row, token } = await startImpersonation(call, { organization_id, user_id: user.id, reason, minutes })
  const expires_at = row.expires_at.toISOString()
  return {
    impersonation_id: row.id,
    access_token: token,
    expires_at,
    user: await toUserForOperator(call.unscoped, user),
  }
})
