import { HostApiError } from '../request-host-json.ts'
import { asArray, asObject, asText, isObject, type ReadonlyJsonObject } from '../stac-item.ts'
import { appendUrlPath, findStapiLink, type StapiClient } from './stapi-client.ts'

/** The search for opportunities that a product has. */
export type OpportunitySearchKind = 'sync' | 'async' | 'none'

/** The form of requests: search parameters are members of the body, or (from version 0.2 on) an object in it. */
export type StapiDialect = 'flat' | 'nested'

/** The description of a product by its provider. */
export interface ProviderProduct {
  readonly id: string
  readonly title: string | null
  readonly description: string | null
  readonly dialect: StapiDialect
  readonly search: OpportunitySearchKind
  /** Types of geometries that it takes; empty if it does not say. */
  readonly geometryTypes: ReadonlySet<string>
  readonly queryables: ReadonlySet<string>
  readonly orderParameters: ReadonlySet<string>
  readonly opportunities_url: string
  readonly create_order_url: string
}

export interface ProviderDescription {
  readonly orders_url: string
  readonly products: ReadonlyMap<string, ProviderProduct>
}

const max_text_length = 2000

/** Reads what a provider says about some products; those that it does not have are left out. */
export async function describeProvider(
  client: StapiClient,
  { url, productIds }: { readonly url: string; readonly productIds: readonly string[] },
  signal?: AbortSignal,
): Promise<ProviderDescription> {
  const landing = await client.get(url, signal)
  if (!Array.isArray(landing['links'])) throw new HostApiError(200, 'the URL is not that of a STAPI provider')
  const urlOf = (rel: string): string => findStapiLink(landing, rel, url)?.href ?? appendUrlPath(url, rel)
  const products = new Map<string, ProviderProduct>()
  for (const id of productIds) {
    const product = await readProduct(
      client,
      { url: appendUrlPath(urlOf('products'), encodeURIComponent(id)), id },
      landing,
    )
    if (product) products.set(id, product)
  }
  return { orders_url: urlOf('orders'), products }
}

async function readProduct(
  client: StapiClient,
  { url, id }: { readonly url: string; readonly id: string },
  landing: ReadonlyJsonObject,
): Promise<ProviderProduct | null> {
  const { status, json } = await client.exchange({ method: 'GET', url }, [200, 404])
  if (status === 404) return null
  const product = asObject(json)
  if (product['id'] !== id)
    throw new HostApiError(200, `the provider returned something other than the product "${id}"`)
  const urlOf = (rel: string, path: string): string =>
    findStapiLink(product, rel, url)?.href ?? appendUrlPath(url, path)
  // The list of the product itself may lack what the provider adds to its own document.
  const more = await client.exchange({ method: 'GET', url: urlOf('conformance', 'conformance') }, [200, 404])
  const conformance = [...textsOf(product['conformsTo']), ...textsOf(asObject(more.json)['conformsTo'])]
  return {
    id,
    title: shortText(product['title']),
    description: shortText(product['description']),
    dialect: dialectOf(asText(product['stapi_version']), textsOf(landing['conformsTo'])),
    search: searchOf(conformance),
    geometryTypes: new Set(conformance.flatMap((uri) => /geojson\.org\/schema\/(\w+)\.json/.exec(uri)?.slice(1) ?? [])),
    queryables: await readPropertyNames(client, urlOf('queryables', 'queryables')),
    orderParameters: await readPropertyNames(client, urlOf('order-parameters', 'order-parameters')),
    opportunities_url: urlOf('opportunities', 'opportunities'),
    create_order_url: urlOf('create-order', 'orders'),
  }
}

const textsOf = (value: unknown): string[] => asArray(value).flatMap((text) => asText(text) ?? [])
const shortText = (value: unknown): string | null => asText(value)?.slice(0, max_text_length) ?? null

/** The version of the product counts, since a provider may have several products behind one landing page. */
function dialectOf(version: string | null, conformance: readonly string[]): StapiDialect {
  const core = conformance.flatMap((uri) => /\/v(\d+\.\d+[.\d]*)\/core$/.exec(uri)?.[1] ?? [])[0]
  const [major = 0, minor = 0] = (version ?? core ?? '0.1.0').split('.').map(Number)
  return major > 0 || minor >= 2 ? 'nested' : 'flat'
}

/** Both names of the conformance class for asynchronous searches are in use. */
function searchOf(conformance: readonly string[]): OpportunitySearchKind {
  const has = (pattern: RegExp): boolean => conformance.some((uri) => pattern.test(uri))
  const isAsync = has(/\/(opportunities-async|async-opportunities)$/)
  // A provider with the asynchronous class announces the plain one, too, even if it cannot answer at once.
  if (has(/\/opportunities$/)) return 'sync'
  return isAsync ? 'async' : 'none'
}

/** The names of the properties of a JSON Schema; empty if the provider has none. */
async function readPropertyNames(client: StapiClient, url: string): Promise<ReadonlySet<string>> {
  const { status, json } = await client.exchange({ method: 'GET', url }, [200, 404])
  const { properties } = asObject(json)
  return new Set(status === 200 && isObject(properties) ? Object.keys(properties).slice(0, 1000) : [])
}
