import { usersConsentsRevokeOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { revokeConsents } from '../../identity/consents/consents.ts'

export const handler = defineHandler(usersConsentsRevokeOperation, async (call, input) => {
  const { client_id: client, organization_id: organization = null } = input
  const revoked = await revokeConsents(call, call.principal.id, { client, organization })
  if (revoked === 0) throw new Problem('not-found', 'You have granted nothing to that program.')
  return { client_id: client, revoked }
})
