import { eulasGetOperation } from '@swath/contract/operations/eulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readEulaAcceptances } from '../acceptance.ts'
import { requireEulaAgreement, toEula } from '../eula-response.ts'

export const handler = defineHandler(eulasGetOperation, async (call, { eula_id }) => {
  const agreement = requireEulaAgreement(call, eula_id)
  const eula = toEula(agreement, await readEulaAcceptances(call, [agreement]))
  return { eula, isAccepted: eula.isAccepted }
})
