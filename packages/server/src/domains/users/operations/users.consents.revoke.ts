import { usersConsentsRevokeOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { revokeConsents } from '../../identity/consents/consents.ts'

export const handler = defineHandler(usersConsentsRevokeOperation, async (call, input) => {
  const { client_id: client, organization_id = null } = input
  const only = call.principal.provider_organization ?? null
  // A provider changes nothing that its members have elsewhere.
  const organization = organization_id ?? only
  if (only !== null && organization !== only) throw createUnknownConsentProblem()
  const revoked = await revokeConsents(call, call.principal.id, { client, organization })
  if (revoked === 0) throw createUnknownConsentProblem()
  return { client_id: client, revoked }
})

const createUnknownConsentProblem = (): Problem => new Problem('not-found', 'You have granted nothing to that program.')
