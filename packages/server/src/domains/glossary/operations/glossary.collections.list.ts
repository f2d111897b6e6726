import { glossaryCollectionsListOperation } from '@swath/contract/operations/glossary.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { listGlossaryCollections } from '../glossary.ts'
import { readHostOffers } from '../read-host-offers.ts'
import { parseCommaSeparatedList, toSortedPage } from '../../../engine/sorted-page.ts'

export const handler = defineHandler(glossaryCollectionsListOperation, async (call, input) => {
  const type = input.type?.toUpperCase()
  const integrations = parseCommaSeparatedList(input.integrations) ?? []
  const { products } = await readRatesOfCaller(call)
  const collections = listGlossaryCollections(await readHostOffers(call), products).filter(
    (collection) =>
      (!type || collection.type === type) &&
      integrations.every((name) => (collection.integrations as readonly string[]).includes(name)),
  )
  return toSortedPage(collections, input)
})
