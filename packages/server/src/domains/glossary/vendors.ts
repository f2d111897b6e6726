import type { Vendor } from '@swath/contract/schemas/catalog.ts'
import type { ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { ProductTermsByName } from '../rate-cards/product-terms.ts'
import { listOfferedProducts, type DataProduct } from './data-products.ts'

/** The hosts that offer a matching product, with the ids of those products. */
export const listVendors = (
  hosts: Iterable<ImageryHost>,
  terms: ProductTermsByName,
  matches: (product: DataProduct) => boolean,
): Vendor[] =>
  [...Map.groupBy(listOfferedProducts(hosts, terms).filter(matches), ({ host }) => host)].map(([host, products]) => ({
    id: host.name,
    name: host.name,
    title: host.title,
    description: host.description,
    countries: [...host.countries],
    products: products.map(({ id }) => id),
  }))
