import { eulasDocumentsListOperation } from '@swath/contract/operations/eulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toNumberedPage, toOffsetPaging } from '../../../engine/page.ts'
import { readEulaAcceptances } from '../acceptance.ts'
import type { EulaAgreementDocument } from '../agreements.ts'
import { requireEulaAgreement, toEulaDocument } from '../eula-response.ts'

type Comparison = (left: EulaAgreementDocument, right: EulaAgreementDocument) => number

const byValidFrom: Comparison = (left, right) => left.valid_from.getTime() - right.valid_from.getTime()
/** Version 10 comes after version 9. */
const byVersion: Comparison = (left, right) => left.version.localeCompare(right.version, 'en', { numeric: true })

export const handler = defineHandler(eulasDocumentsListOperation, async (call, input) => {
  const agreement = requireEulaAgreement(call, input.eula_id)
  const acceptances = await readEulaAcceptances(call, [agreement])
  const [field, direction] = (input.sort ?? 'validFrom,desc').split(',')
  const ascending = agreement.documents.toSorted(field === 'version' ? byVersion : byValidFrom)
  const sorted = direction === 'desc' ? ascending.toReversed() : ascending
  const { limit, offset } = toOffsetPaging(input)
  const rows = sorted.slice(offset, offset + limit).map((document) => toEulaDocument(agreement, document, acceptances))
  return toNumberedPage({ rows, total: sorted.length }, input)
})
