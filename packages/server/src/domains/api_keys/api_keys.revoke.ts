import { apiKeysRevoke } from '@swath/contract/operations/api_keys.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { announceChange } from '../identity/changes.ts'
import { requireOrganizationAdmin, requirePerson } from '../organizations/membership.ts'
import { markKeyRevoked } from './store.ts'

export const revokeApiKey = handler(apiKeysRevoke, async (call, input) => {
  // A stolen key can only revoke itself, which is harmless.
  const itself = call.principal.kind === 'api_key' && input.key_id.toLowerCase() === call.principal.id
  if (!itself) {
    requirePerson(call, 'An API key can revoke only itself; other keys are revoked by users.')
    await requireOrganizationAdmin(call)
  }
  // Unscoped, because every process must be notified.
  const id = await call.across.transaction(async (tx) => {
    const key = await markKeyRevoked(tx, call.organization, input.key_id, call.clock.now())
    if (key === null) throw new Problem('not-found', `No API key has the id "${input.key_id}".`)
    await announceChange(tx, `key:${key}`)
    return key
  })
  return { ok: true, id }
})
