import { glossaryDataProductsGetOperation } from '@swath/contract/operations/glossary.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { listOfferedProducts } from '../data-products.ts'
import { toGlossaryDataProduct } from '../glossary.ts'
import { readHostOffers } from '../read-host-offers.ts'

export const handler = defineHandler(glossaryDataProductsGetOperation, async (call, { data_product_name }) => {
  const rates = await readRatesOfCaller(call)
  const product = listOfferedProducts(await readHostOffers(call), rates.products).find(
    ({ name }) => name === data_product_name,
  )
  if (!product) throw new Problem('not-found', `There is no data product with the name "${data_product_name}".`)
  return { data_product: toGlossaryDataProduct(product, rates) }
})
