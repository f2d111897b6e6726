import { eulasDocumentAcceptOperation } from '@swath/contract/operations/eulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { recordEulaAcceptanceDecision, readEulaAcceptances } from '../acceptance.ts'
import { requireEulaAgreement, requireEulaDocument, toEulaDocument } from '../eula-response.ts'

export const handler = defineHandler(eulasDocumentAcceptOperation, async (call, input) => {
  const agreement = requireEulaAgreement(call, input.eula_id)
  const document = requireEulaDocument(agreement, input.document_id)
  await recordEulaAcceptanceDecision(call, { agreement, document, is_accepted: input.is_accepted ?? true })
  return { document: toEulaDocument(agreement, document, await readEulaAcceptances(call, [agreement])) }
})
