import { apiKeysListOperation } from '@swath/contract/operations/api_keys.ts'
import type { ApiKey } from '@swath/contract/schemas/api-key.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listApiKeys, type ListedApiKeyRow } from '../store.ts'

export const handler = defineHandler(apiKeysListOperation, async (call) => {
  const rows = await listApiKeys(call.db, call.organization)
  return toCompleteList('api_keys', rows.map(toApiKey))
})

const toApiKey = (row: ListedApiKeyRow): ApiKey => ({
  id: row.id,
  prefix: row.prefix,
  name: row.name,
  permissions: [...row.permissions],
  rate_limit: row.rate_limit,
  spend_cap_credits: row.spend_cap_credits,
  created_by: row.created_by,
  created_by_name: row.created_by_name,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  last_used_address: row.last_used_address,
  expires_at: row.expires_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
