import { oauthClientsUpdateOperation } from '@swath/contract/operations/oauth_clients.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireHeldScopes } from '../../../engine/principal.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { updateOAuthClient, type OAuthClientRow } from '../../identity/clients/store.oauth-clients.ts'
import { endClientSessions } from '../../identity/clients/end-client-sessions.ts'
import { lockManageableClient, writeClientKey } from '../change-client.ts'
import { readClientFields, toOAuthClient } from '../client-input.ts'

type UpdateInput = NonNullable<(typeof oauthClientsUpdateOperation)['types']>['input']

export const handler = defineHandler(oauthClientsUpdateOperation, async (call, input) => {
  // Unscoped, because every process must be notified.
  const row = await call.unscoped.transaction(async (tx) => {
    const before = await lockManageableClient(tx, call, input.client_id)
    const after = changeClient(call, before, input)
    await updateOAuthClient(tx, after)
    await applyChange(tx, call, before, after)
    return after
  })
  return { client: toOAuthClient(row) }
})

/** Throws `insufficient-scope` for a client that could do more than the token of the caller. */
function changeClient(call: Call, before: OAuthClientRow, input: UpdateInput): OAuthClientRow {
  const { name, redirect_uris, scopes, grants, home_url, logo_url, open_to_all, disabled } = input
  const fields = readClientFields({
    name: name ?? before.name,
    type: before.type,
    redirect_uris: redirect_uris ?? before.redirect_uris,
    scopes: scopes ?? before.scopes,
    grants: grants ?? before.grants,
    home_url: home_url === undefined ? before.home_url : home_url,
    logo_url: logo_url === undefined ? before.logo_url : logo_url,
    open_to_all: open_to_all ?? before.open_to_all,
  })
  if (scopes || grants) requireHeldScopes(call.principal, fields.scopes, 'the client')
  const now = call.clock.now()
  const isDisabled = disabled ?? before.disabled_at !== null
  return { ...before, ...fields, updated_at: now, disabled_at: isDisabled ? (before.disabled_at ?? now) : null }
}

/** Ends the tokens that the client may not have any more. Those with more scopes than it has now end at their next refresh. */
async function applyChange(tx: Tx, call: Call, before: OAuthClientRow, after: OAuthClientRow): Promise<void> {
  const isKey = before.grants.includes('client_credentials') || after.grants.includes('client_credentials')
  if (isKey) await writeClientKey(tx, after)
  if (after.disabled_at !== null) return endClientSessions(tx, call, after.id, { reason: 'client-disabled' })
  if (before.open_to_all && !after.open_to_all)
    await endClientSessions(tx, call, after.id, { reason: 'client-not-open', except: after.organization_id })
}
