import type { Vendor } from '@swath/contract/schemas/catalog.ts'
import type { ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { listDataProducts, type DataProduct } from './data-products.ts'

/** The hosts that have a matching product, with the ids of those products. */
export const listVendors = (hosts: Iterable<ImageryHost>, matches: (product: DataProduct) => boolean): Vendor[] =>
  [...Map.groupBy(listDataProducts(hosts).filter(matches), ({ host }) => host)].map(([host, products]) => ({
    id: host.name,
    name: host.name,
    title: host.title,
    description: host.description,
    countries: [...host.countries],
    products: products.map(({ id }) => id),
  }))
