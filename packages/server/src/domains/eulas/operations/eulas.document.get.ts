import { eulasDocumentGetOperation } from '@swath/contract/operations/eulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readEulaAcceptances } from '../acceptance.ts'
import { requireEulaAgreement, requireEulaDocument, toEulaDocument } from '../eula-response.ts'

export const handler = defineHandler(eulasDocumentGetOperation, async (call, { eula_id, document_id }) => {
  const agreement = requireEulaAgreement(call, eula_id)
  const document = requireEulaDocument(agreement, document_id)
  return { document: toEulaDocument(agreement, document, await readEulaAcceptances(call, [agreement])) }
})
