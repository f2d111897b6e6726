import { eulasListOperation } from '@swath/contract/operations/eulas.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toSortedPage } from '../../../engine/sorted-page.ts'
import { readEulaAcceptances } from '../acceptance.ts'
import { readEulaAgreements, toEula } from '../eula-response.ts'

export const handler = defineHandler(eulasListOperation, async (call, input) => {
  const term = (input.term ?? '').toLowerCase()
  const agreements = readEulaAgreements(call).filter(({ title }) => title.toLowerCase().includes(term))
  const acceptances = await readEulaAcceptances(call, agreements)
  return toSortedPage(
    agreements.map((agreement) => toEula(agreement, acceptances)),
    input,
  )
})
