import { eulasAcceptancesListOperation } from '@swath/contract/operations/eulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { requireEulaAgreement, toEulaAcceptance } from '../eula-response.ts'
import { listEulaAcceptanceRows } from '../store.ts'

export const handler = defineHandler(eulasAcceptancesListOperation, async (call, input) => {
  const { eula_id = null, limit, offset } = input
  if (eula_id !== null) requireEulaAgreement(call, eula_id)
  const { rows, total } = await listEulaAcceptanceRows(call.db, call.organization, { eula_id, limit, offset })
  return toListPage('acceptances', { rows: rows.map(toEulaAcceptance), total }, input)
})
