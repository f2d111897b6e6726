import { glossaryCollectionsGetOperation } from '@swath/contract/operations/glossary.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { listGlossaryCollections } from '../glossary.ts'
import { readHostOffers } from '../read-host-offers.ts'

export const handler = defineHandler(glossaryCollectionsGetOperation, async (call, { collection_name }) => {
  const { products } = await readRatesOfCaller(call)
  const collection = listGlossaryCollections(await readHostOffers(call), products).find(
    ({ name }) => name === collection_name,
  )
  if (!collection) throw new Problem('not-found', `No host offers a collection with the name "${collection_name}".`)
  return { collection }
})
