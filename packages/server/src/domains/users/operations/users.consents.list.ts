import { usersConsentsListOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { listConsents } from '../../identity/consents/store.consents.ts'

export const handler = defineHandler(usersConsentsListOperation, async ({ unscoped, principal }) => {
  const rows = await listConsents(unscoped, principal.id)
  return toCompleteList(
    'consents',
    rows.map((row) => ({
      client_id: row.client_id,
      client_name: row.client_name,
      organization_id: row.organization_id,
      scopes: [...row.scopes],
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    })),
  )
})
