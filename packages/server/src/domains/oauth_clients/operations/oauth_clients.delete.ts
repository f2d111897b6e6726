import { oauthClientsDeleteOperation } from '@swath/contract/operations/oauth_clients.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteOAuthClient } from '../../identity/clients/store.oauth-clients.ts'
import { deleteConsentsOfClient } from '../../identity/consents/store.consents.ts'
import { endClientSessions } from '../../identity/clients/end-client-sessions.ts'
import { lockManageableClient, writeClientKey } from '../change-client.ts'

export const handler = defineHandler(oauthClientsDeleteOperation, (call, { client_id }) =>
  call.unscoped.transaction(async (tx) => {
    const row = await lockManageableClient(tx, call, client_id)
    // What it has made names the key, which stays revoked.
    if (row.grants.includes('client_credentials')) await writeClientKey(tx, { ...row, disabled_at: call.clock.now() })
    await endClientSessions(tx, call, row.id, { reason: 'client-deleted' })
    await deleteConsentsOfClient(tx, row.id)
    await deleteOAuthClient(tx, call.organization, row.id)
    return { ok: true, id: row.id }
  }),
)
