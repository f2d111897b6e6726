import { apiKeysRevokeOperation } from '@swath/contract/operations/api_keys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { removeDeadline } from '../../ledger/store.deadlines.ts'
import { announceStoppedDelegations } from '../../organizations/delegations.ts'
import { requireOrganizationAdmin, requireHuman } from '../../organizations/membership.ts'
import { markApiKeyRevoked } from '../store.ts'

export const revokeApiKey = defineHandler(apiKeysRevokeOperation, async (call, input) => {
  // A stolen key can only revoke itself, which is harmless.
  const isItself = call.principal.kind === 'api_key' && input.key_id.toLowerCase() === call.principal.id
  if (!isItself) {
    requireHuman(call, 'An API key can revoke only itself; other keys are revoked by users.')
    await requireOrganizationAdmin(call)
  }
  // Unscoped, because every process must be notified.
  const id = await call.unscoped.transaction(async (tx) => {
    const key = await markApiKeyRevoked(tx, call.organization, input.key_id, call.clock.now())
    if (key === null) throw new Problem('not-found', `No API key has the id "${input.key_id}".`)
    await publishPrincipalChange(tx, `key:${key}`)
    await removeDeadline(tx, call.organization, 'key-expiry', key)
    await announceStoppedDelegations(tx, call, { api_key: key })
    return key
  })
  return { ok: true, id }
})
