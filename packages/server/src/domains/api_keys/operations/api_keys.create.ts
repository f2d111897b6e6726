import { apiKeysCreateOperation } from '@swath/contract/operations/api_keys.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { generateChecksummedToken } from '../../../platform/crypto/secrets.ts'
import { newId } from '../../../platform/ids.ts'
import { putDeadline } from '../../ledger/store.deadlines.ts'
import { parsePermissions } from '../permissions.ts'
import { insertApiKey, insertApiKeyHash, type ApiKeyRow } from '../store.ts'

const day_ms = 24 * 3600 * 1000

export const createApiKey = defineHandler(apiKeysCreateOperation, async (call, input) => {
  const permissions = parsePermissions(input.permissions ?? [])

  const { text, hash, prefix, last_four } = generateChecksummedToken('api_key')
  const now = call.clock.now()
  const days = input.expires_in_days ?? null
  const row: ApiKeyRow = {
    id: newId(),
    organization_id: call.organization,
    name: input.name,
    prefix,
    last_four,
    permissions,
    rate_limit: input.rate_limit ?? null,
    spend_cap_credits: input.spend_cap_credits ?? null,
    created_by: call.principal.id,
    expires_at: days === null ? null : new Date(now.getTime() + days * day_ms),
    revoked_at: null,
    last_used_at: null,
    created_at: now,
  }
  // Unscoped, because the directory of hashes belongs to no organization.
  await call.unscoped.transaction(async (tx) => {
    await insertApiKey(tx, row)
    await insertApiKeyHash(tx, hash, row.organization_id, row.id)
    if (row.expires_at)
      await putDeadline(tx, {
        organization: call.organization,
        kind: 'key-expiry',
        subject: row.id,
        due_at: row.expires_at,
      })
  })
  return {
    id: row.id,
    key: text,
    prefix,
    name: row.name,
    permissions,
    rate_limit: row.rate_limit,
    spend_cap_credits: row.spend_cap_credits,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: now.toISOString(),
  }
})
