import { eulasGetOperation } from '@swath/contract/operations/eulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readAcceptances } from '../acceptance.ts'
import { requireAgreement, toEula } from '../eula-response.ts'

export const handler = defineHandler(eulasGetOperation, async (call, { eula_id }) => {
  const agreement = requireAgreement(call, eula_id)
  const eula = toEula(agreement, await readAcceptances(call, [agreement]))
  return { eula, isAccepted: eula.isAccepted }
})
