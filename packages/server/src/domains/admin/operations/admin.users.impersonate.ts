import { adminUsersImpersonateOperation } from '@swath/contract/operations/admin.users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { isMember } from '../../organizations/store.ts'
import { startImpersonation } from '../../identity/impersonation/start-impersonation.ts'
import { findActiveSupportAccess } from '../../organizations/support-access/store.support-access.ts'
import { supportTime } from '../../organizations/support-access/support-access.ts'
import { requireUserForOperator, toUserForOperator } from '../users/user-for-operator.ts'

export const handler = defineHandler(adminUsersImpersonateOperation, async (call, input) => {
  const user = await requireUserForOperator(call, input.user_id)
  const organization_id = input.organization_id.toLowerCase()
  if (!(await isMember(call.unscoped, organization_id, user.id)))
    throw new Problem('not-found', `No member of the organization has the id "${input.user_id}".`)
  if (user.is_administrator || user.disabled_at !== null)
    throw new Problem('forbidden', 'Operators and disabled users cannot be impersonated.')
  const access = await findActiveSupportAccess(call.unscoped, organization_id, call.principal.id, supportTime(call))
  if (!access)
    throw new Problem(
      'forbidden',
      'The organization has not granted you support access; ask its owners with admin.support_access.request.',
    )
  const { reason, minutes } = input
  const { row, token } = await startImpersonation(call, {
    organization_id,
    user_id: user.id,
    support_access_id: access.id,
    reason,
    minutes,
    ends_at: access.expires_at,
  })
  const expires_at = row.expires_at.toISOString()
  return {
    impersonation_id: row.id,
    access_token: token,
    expires_at,
    user: await toUserForOperator(call.unscoped, user),
  }
})
