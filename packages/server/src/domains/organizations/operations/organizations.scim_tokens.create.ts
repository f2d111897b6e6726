import { organizationsScimTokensCreateOperation } from '@swath/contract/operations/organizations.scim_tokens.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { isSandboxId } from '../../../platform/ids.ts'
import { createScimToken, scimPath, toScimToken } from '../federation/scim-tokens.ts'

export const handler = defineHandler(
  organizationsScimTokensCreateOperation,
  async (call, { name, expires_in_days }) => {
    if (isSandboxId(call.organization)) throw new Problem('invalid-state', 'A sandbox cannot have SCIM tokens.')
    const wanted = { name, expires_in_days: expires_in_days ?? null }
    const { row, token } = await call.unscoped.transaction((tx) => createScimToken(tx, call, wanted))
    return { scim_token: toScimToken(row), token, base_url: `${call.baseUrl}${scimPath}` }
  },
)
