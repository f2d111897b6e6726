import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { listDataProducts, type DataProduct } from './data-products.ts'
import { readHosts } from './read-hosts.ts'

/** The product with this id, in any case of its letters. Throws `not-found`. */
export async function requireDataProduct(
  call: Pick<Call, 'integrations' | 'signal'>,
  id: string,
): Promise<DataProduct> {
  const product = listDataProducts(await readHosts(call)).find((one) => one.id === id.toLowerCase())
  if (!product) throw new Problem('not-found', `There is no data product with the id "${id}".`)
  return product
}
