import { eulasDocumentAcceptOperation } from '@swath/contract/operations/eulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { decideAcceptance, readAcceptances } from '../acceptance.ts'
import { requireAgreement, requireDocument, toEulaDocument } from '../eula-response.ts'

export const handler = defineHandler(eulasDocumentAcceptOperation, async (call, input) => {
  const agreement = requireAgreement(call, input.eula_id)
  const document = requireDocument(agreement, input.document_id)
  await decideAcceptance(call, { agreement, document, is_accepted: input.is_accepted ?? true })
  return { document: toEulaDocument(agreement, document, await readAcceptances(call, [agreement])) }
})
