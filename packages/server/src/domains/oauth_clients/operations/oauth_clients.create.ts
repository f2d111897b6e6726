import { limits } from '@swath/contract/limits.ts'
import { oauthClientsCreateOperation } from '@swath/contract/operations/oauth_clients.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireHeldScopes } from '../../../engine/principal.ts'
import { Problem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import {
  countOAuthClients,
  insertOAuthClient,
  type OAuthClientRow,
} from '../../identity/clients/store.oauth-clients.ts'
import { generateClientSecret, writeClientKey } from '../change-client.ts'
import { readClientFields, toOAuthClient } from '../client-input.ts'

export const handler = defineHandler(oauthClientsCreateOperation, async (call, input) => {
  const { home_url = null, logo_url = null } = input
  const fields = readClientFields({ ...input, home_url, logo_url })
  requireHeldScopes(call.principal, fields.scopes, 'the client')
  const secret = fields.type === 'confidential' ? generateClientSecret() : null
  const now = call.clock.now()
  const row: OAuthClientRow = {
    ...fields,
    id: newId(),
    organization_id: call.organization,
    secret_hash: secret?.hash ?? null,
    former_secret_hash: null,
    former_secret_expires_at: null,
    created_by: call.principal.id,
    created_at: now,
    updated_at: now,
    disabled_at: null,
  }
  // Unscoped, because the directory of clients belongs to no organization.
  await call.unscoped.transaction(async (tx) => {
    if ((await countOAuthClients(tx, call.organization)) >= limits.max_oauth_clients)
      throw new Problem('invalid-state', `The organization has ${limits.max_oauth_clients} clients; delete one first.`)
    await insertOAuthClient(tx, row)
    if (row.grants.includes('client_credentials')) await writeClientKey(tx, row)
  })
  return { client: toOAuthClient(row), client_secret: secret?.text ?? null }
})
