import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { readRatesOfCaller } from '../contracts/rates.ts'
import { listOfferedProducts, type DataProduct } from './data-products.ts'
import { readHostOffers } from './read-host-offers.ts'

/** The offered product with this id, in any case of its letters, with the terms in force. Throws `not-found`. */
export async function requireDataProduct(
  call: Pick<Call, 'integrations' | 'signal' | 'principal' | 'db' | 'organization' | 'clock'>,
  id: string,
): Promise<DataProduct> {
  const { products } = await readRatesOfCaller(call)
  const product = listOfferedProducts(await readHostOffers(call), products).find((one) => one.id === id.toLowerCase())
  if (!product) throw new Problem('not-found', `There is no data product with the id "${id}".`)
  return product
}
