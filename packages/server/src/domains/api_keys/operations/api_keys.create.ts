import { day_ms } from '@swath/geo/time-units.ts'
import { apiKeysCreateOperation } from '@swath/contract/operations/api_keys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { issueApiKey } from '../issue-key.ts'
import { parseApiKeyPermissions, requireOwnScopes } from '../permissions.ts'

export const handler = defineHandler(apiKeysCreateOperation, async (call, input) => {
  const now = call.clock.now()
  const permissions = parseApiKeyPermissions(input.permissions ?? [])
  requireOwnScopes(call.principal, permissions)
  const days = input.expires_in_days ?? null
  const key = {
    organization_id: call.organization,
    name: input.name,
    permissions,
    rate_limit: input.rate_limit ?? null,
    spend_cap_credits: input.spend_cap_credits ?? null,
    created_by: call.principal.id,
    expires_at: days === null ? null : new Date(now.getTime() + days * day_ms),
  }
  const { row, secret } = await call.unscoped.transaction((tx) => issueApiKey(tx, key, now))
  return {
    id: row.id,
    key: secret,
    prefix: row.prefix,
    name: row.name,
    permissions: [...row.permissions],
    rate_limit: row.rate_limit,
    spend_cap_credits: row.spend_cap_credits,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: now.toISOString(),
  }
})
