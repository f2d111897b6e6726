import { apiKeysRevokeOperation } from '@swath/contract/operations/api_keys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { requireAuthorityOver, requireOrganizationAdmin, requireHuman } from '../../organizations/membership.ts'
import { revokeApiKey } from '../issue-key.ts'
import { findApiKeyCreator } from '../store.ts'

export const handler = defineHandler(apiKeysRevokeOperation, async (call, input) => {
  // A stolen key can only revoke itself, which is harmless.
  const isItself = call.principal.kind === 'api_key' && input.key_id.toLowerCase() === call.principal.id
  if (!isItself) {
    requireHuman(call, 'An API key can revoke only itself; other keys are revoked by users.')
    await requireOrganizationAdmin(call)
    await requireAuthorityOver(call, await findApiKeyCreator(call.db, call.organization, input.key_id))
  }
  const id = await call.unscoped.transaction((tx) => revokeApiKey(tx, call, input.key_id))
  if (id === null) throw new Problem('not-found', `No API key has the id "${input.key_id}".`)
  return { ok: true, id }
})
