import type { GlossaryCollection, GlossaryDataProduct, GlossaryProvider } from '@swath/contract/schemas/glossary.ts'
import type { HostCollection, HostPrice, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { resolvePrice } from '../catalog/price.ts'
import type { PriceRates } from '../contracts/rates.ts'
import type { ProductTermsByName } from '../rate-cards/product-terms.ts'
import { listOfferedProducts, type DataProduct } from './data-products.ts'

const productTypes: Readonly<Record<string, 'OPTICAL' | 'SAR' | 'ELEVATION'>> = {
  optical: 'OPTICAL',
  sar: 'SAR',
  radar: 'SAR',
  elevation: 'ELEVATION',
}

/** The classes of the Copernicus Contributing Missions, by the largest pixel of each. */
const resolutionClasses = [
  { max_m: 4, name: 'VERY_HIGH' },
  { max_m: 30, name: 'HIGH' },
  { max_m: 300, name: 'MEDIUM' },
  { max_m: Infinity, name: 'LOW' },
] as const

/** Each host, and each producer that hosts name. */
export function listGlossaryProviders(hosts: Iterable<ImageryHost>): GlossaryProvider[] {
  const providers = new Map<string, GlossaryProvider>()
  for (const provider of [...hosts].flatMap((host) => [toHostProvider(host), ...listProducers(host)])) {
    const earlier = providers.get(provider.name)
    const roles = [...new Set([...(earlier?.roles ?? []), ...provider.roles])].toSorted()
    providers.set(provider.name, { ...(earlier ?? provider), roles })
  }
  return [...providers.values()]
}

const toHostProvider = ({ name, title, description }: ImageryHost): GlossaryProvider => ({
  name,
  title,
  description,
  roles: ['HOST'],
  createdAt: null,
})

const listProducers = (host: ImageryHost): GlossaryProvider[] =>
  host.providers
    .filter(({ roles }) => roles.includes('producer'))
    .map(({ name, url }) => ({
      name,
      title: name,
      description: url === undefined ? 'A producer of imagery.' : `A producer of imagery: ${url}`,
      roles: ['PRODUCER'],
      createdAt: null,
    }))

/** Each collection once, although several hosts may offer it: with its hosts, and a product of each of them. */
export function listGlossaryCollections(hosts: Iterable<ImageryHost>, terms: ProductTermsByName): GlossaryCollection[] {
  const productsByCollection = Map.groupBy(listOfferedProducts(hosts, terms), ({ collection }) => collection.id)
  return [...productsByCollection.values()].map(toGlossaryCollection)
}

const integrationsOf = {
  ARCHIVE: ['SEARCH_AVAILABLE', 'QUICKLOOK_AVAILABLE', 'PRICE_ESTIMATION_AVAILABLE'],
  TASKING: ['PRICE_ESTIMATION_AVAILABLE'],
} as const

function toGlossaryCollection(products: readonly DataProduct[]): GlossaryCollection {
  const { collection, host } = products[0]!
  return {
    name: collection.id,
    title: collection.title,
    description: `${collection.title}. ${host.description}`,
    type: collection.type ?? 'ARCHIVE',
    integrations: [...integrationsOf[collection.type ?? 'ARCHIVE']],
    providers: listCollectionProviders(products.map((product) => product.host)),
    dataProducts: products.map(({ id, name, title, description, eula_id }) => ({
      id,
      name,
      title,
      description,
      eulaId: eula_id,
    })),
    metadata: toMetadata(collection),
    createdAt: earliest(products.map(({ price }) => toCreatedAt(price))),
  }
}

/** The hosts of a collection; a producer only if its host has no other, since hosts do not say who produced what. */
function listCollectionProviders(hosts: readonly ImageryHost[]): GlossaryCollection['providers'] {
  const named = new Set(hosts.flatMap((host) => [host.name, ...onlyProducerOf(host)]))
  return listGlossaryProviders(hosts)
    .filter(({ name }) => named.has(name))
    .map(({ name, title, description, roles }) => ({ name, title, description, roles }))
}

function onlyProducerOf(host: ImageryHost): string[] {
  const producers = listProducers(host).map(({ name }) => name)
  return producers.length === 1 ? producers : []
}

function toMetadata({ data_type, gsd }: HostCollection): GlossaryCollection['metadata'] {
  const productType = Object.hasOwn(productTypes, data_type) ? productTypes[data_type] : undefined
  return {
    ...(productType === undefined ? {} : { productType }),
    ...(gsd === null
      ? {}
      : {
          resolutionClass: resolutionClasses.find(({ max_m }) => gsd <= max_m)!.name,
          resolutionValue: { minimum: gsd },
        }),
  }
}

/** A product with the rate that its caller pays. */
export function toGlossaryDataProduct(product: DataProduct, rates: PriceRates): GlossaryDataProduct {
  const { list_price, price, commitment_id } = resolvePrice(product.price, rates)
  return {
    id: product.id,
    name: product.name,
    title: product.title,
    description: product.description,
    eulaId: product.eula_id,
    collection: product.collection.id,
    host_name: product.host.name,
    licences: [...product.licences],
    price: price && {
      unit: 'km2',
      rate_credits: price.rate_credits,
      list_rate_credits: list_price!.rate_credits,
      minimum_km2: price.minimum_km2,
      valid_from: price.valid_from ?? null,
      commitment_id,
    },
    createdAt: toCreatedAt(product.price),
  }
}

/** Null also for a date that does not exist; the file of hosts is refused with one, hosts of other kinds are not checked. */
function toCreatedAt(price: HostPrice | null): string | null {
  const time = new Date(price?.valid_from ?? '')
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

const earliest = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).toSorted()[0] ?? null
