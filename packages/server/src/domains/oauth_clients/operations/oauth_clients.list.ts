import { oauthClientsListOperation } from '@swath/contract/operations/oauth_clients.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listOAuthClients } from '../../identity/clients/store.oauth-clients.ts'
import { toOAuthClient } from '../client-input.ts'

export const handler = defineHandler(oauthClientsListOperation, async (call) => {
  const rows = await listOAuthClients(call.db, call.organization)
  return toCompleteList('clients', rows.map(toOAuthClient))
})
