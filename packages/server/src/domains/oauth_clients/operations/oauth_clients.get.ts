import { oauthClientsGetOperation } from '@swath/contract/operations/oauth_clients.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireOAuthClient } from '../change-client.ts'
import { toOAuthClient } from '../client-input.ts'

export const handler = defineHandler(oauthClientsGetOperation, async (call, { client_id }) => ({
  client: toOAuthClient(await requireOAuthClient(call, client_id)),
}))
