import { hour_ms } from '@swath/geo/time-units.ts'
import { oauthClientsRotateSecretOperation } from '@swath/contract/operations/oauth_clients.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireHeldScopes } from '../../../engine/principal.ts'
import { Problem } from '../../../engine/problem.ts'
import { lockManageableClient, replaceClientSecret } from '../change-client.ts'
import { toOAuthClient } from '../client-input.ts'

export const handler = defineHandler(oauthClientsRotateSecretOperation, (call, { client_id, overlap_hours }) =>
  call.unscoped.transaction(async (tx) => {
    const before = await lockManageableClient(tx, call, client_id)
    if (before.type === 'public') throw new Problem('invalid-state', 'A public client has no secret.')
    // Whoever has the secret has the scopes.
    requireHeldScopes(call.principal, before.scopes, 'the client')
    const { row, secret } = await replaceClientSecret(tx, call, before, overlap_hours * hour_ms)
    return { client: toOAuthClient(row), client_secret: secret }
  }),
)
