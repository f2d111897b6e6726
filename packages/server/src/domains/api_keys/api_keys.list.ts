import { apiKeysList } from '@swath/contract/operations/api_keys.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import type { ApiKey } from '@swath/contract/shapes/api-key.ts'
import { handler } from '../../engine/handler.ts'
import { requireOrganizationAdmin } from '../organizations/membership.ts'
import { listKeys, type ApiKeyRow } from './store.ts'

export const listApiKeys = handler(apiKeysList, async (call) => {
  await requireOrganizationAdmin(call)
  const rows = await listKeys(call.db, call.organization)
  return { api_keys: rows.map(keyOf), ...wholeWindow(rows) }
})

const keyOf = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  prefix: row.prefix,
  name: row.name,
  permissions: [...row.permissions],
  rate_limit: row.rate_limit,
  spend_cap_credits: row.spend_cap_credits,
  created_by: row.created_by,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
  revoked_at: row.revoked_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})
