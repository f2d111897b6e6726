import { usersConsentsListOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { toConsent } from '../../identity/consents/consents.ts'
import { listConsents } from '../../identity/consents/store.consents.ts'

export const handler = defineHandler(usersConsentsListOperation, async ({ unscoped, principal }) => {
  const rows = await listConsents(unscoped, principal.id)
  // A provider learns nothing about what its members have elsewhere.
  const { provider_organization: only } = principal
  const shown = only === undefined ? rows : rows.filter(({ organization_id }) => organization_id === only)
  return toCompleteList('consents', shown.map(toConsent))
})
