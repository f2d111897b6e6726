import { glossaryDataProductsListOperation } from '@swath/contract/operations/glossary.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { listOfferedProducts } from '../data-products.ts'
import { toGlossaryDataProduct } from '../glossary.ts'
import { readHostOffers } from '../read-host-offers.ts'
import { parseCommaSeparatedList, toSortedPage } from '../../../engine/sorted-page.ts'

export const handler = defineHandler(glossaryDataProductsListOperation, async (call, input) => {
  const ids = parseCommaSeparatedList(input.dataProductId)?.map((id) => id.toLowerCase())
  const rates = await readRatesOfCaller(call)
  const products = listOfferedProducts(await readHostOffers(call), rates.products).filter(
    ({ id }) => !ids || ids.includes(id),
  )
  return toSortedPage(
    products.map((product) => toGlossaryDataProduct(product, rates)),
    input,
  )
})
