import type { HostCollection, HostPrice, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { deriveId } from '../../platform/ids.ts'
import { findEulaId } from '../eulas/agreements.ts'
import {
  applyProductTerms,
  formatDataProductName,
  isProductOffered,
  type ParamRestrictions,
  type DataProductTerms,
  type ProductTermsByName,
} from '../rate-cards/product-terms.ts'
import { findTaskingProduct, listCollectionsForSale } from './tasking-collections.ts'

/** A product that can be ordered: the imagery of one collection at one host, archived or acquired on order. */
export interface DataProduct {
  /** Derived from the host and the collection, so that it stays the same when the title or the price changes. */
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly host: ImageryHost
  readonly collection: HostCollection
  /** The standard one is first. */
  readonly licences: readonly string[]
  /** The list price; null if the product is free. */
  readonly price: HostPrice | null
  readonly eula_id: string | null
  /** Restrictions of the parameters of its orders. */
  readonly params: ParamRestrictions
}

/** Every product of the hosts as they declare it; of a host that never responded, none. */
export const listDataProducts = (hosts: Iterable<ImageryHost>): DataProduct[] =>
  [...hosts].flatMap((host) => listCollectionsForSale(host).map((collection) => toDataProduct(host, collection)))

/** The products that are offered, with the terms in force. */
export const listOfferedProducts = (hosts: Iterable<ImageryHost>, terms: ProductTermsByName): DataProduct[] =>
  listDataProducts(hosts)
    .filter(({ name }) => isProductOffered(terms, name))
    .map((product) => withProductTerms(product, terms.get(product.name)))

/** A product with terms that replace those of its host. */
export const withProductTerms = (
  { host, collection, ...product }: DataProduct,
  terms: DataProductTerms | undefined,
): DataProduct =>
  terms
    ? { ...toDataProduct(host, applyProductTerms(collection, terms)), params: terms.params ?? {} }
    : { host, collection, ...product }

/** The id of the data product of a collection. */
export const deriveDataProductId = (host_name: string, collection: string): string =>
  deriveId(JSON.stringify(['data-product', host_name, collection]))

function toDataProduct(host: ImageryHost, collection: HostCollection): DataProduct {
  const { price } = collection
  const licences = price?.licences ?? []
  return {
    id: deriveDataProductId(host.name, collection.id),
    name: formatDataProductName(host.name, collection.id),
    title: price?.product ?? collection.title,
    description: describeProduct(host, collection),
    host,
    collection,
    licences: licences.length > 0 ? licences : [collection.license],
    price,
    eula_id: findEulaId(host, collection),
    params: {},
  }
}

function describeProduct(host: ImageryHost, collection: HostCollection): string {
  const { title, price } = collection
  const tasking = findTaskingProduct(host, collection)
  if (tasking) return `${tasking.description.replace(/\.?$/, '.')} Acquired on order.`
  const imagery = `${title}. Scenes of the archive "${host.title}"`
  if (price === null) return `${imagery}, free of charge.`
  return `${imagery}, sold by the square kilometre, at least ${price.minimum_km2} km² a scene.`
}
