import { posix } from 'node:path'
import { monotonic_ms, type Clock } from '../../../clock.ts'
import {
  HostRefusal,
  type HostCollection,
  type HostFile,
  type HostSearch,
  type ImageryHost,
} from '../../imagery-host.ts'
import type { SafeFetch } from '../../integrations.ts'
import type { HostMetadata } from '../archive/archive-host.ts'
import { encodeDeliveryReference, decodeDeliveryReference } from '../delivery-reference.ts'
import {
  listAuxiliaryAssets,
  listDataAssets,
  listDocumentAssets,
  toUniqueAssetKeys,
  type HostItem,
  type HostItemAsset,
} from '../stac-item.ts'
import { describeStacApi, readStacCollections, type StacApiDescription } from './describe-api.ts'
import { downloadFile } from './download-file.ts'
import { fetchQuicklook } from './fetch-quicklook.ts'
import { readStacItemPages } from './read-pages.ts'
import { createSceneFileReader, createSignedFetch } from './scene-files.ts'
import { searchNewestFirst } from './search-newest-first.ts'
import { createStacSearchRequest } from './search-request.ts'
import { createFailureCache } from '../request-host-json.ts'
import { createStacClient, type StacClient } from './stac-client.ts'
import { createHostRequestSigner, type HostRequestAuthorization } from '../signing.ts'

/** A public STAC API as a host: a row of the table of known hosts, or of the operator's file. */
export interface StacHostDefinition extends HostMetadata {
  readonly url: string
  readonly signing: HostRequestAuthorization
  /** Only these collections; null for all. */
  readonly collections: readonly string[] | null
  /** Only these assets are delivered; null delivers the GeoTIFF files with data. */
  readonly asset_keys: readonly string[] | null
  /** Origins besides that of `url` which receive the token of `bearer`. */
  readonly token_origins: readonly string[]
  /** The origin of `url` may be private or use plain http; those of assets must be public all the same. */
  readonly allow_private: boolean
  /** Further origins, such as that of the files, that may be private. */
  readonly private_origins: readonly string[]
}

export interface StacHostDependencies {
  /** Fetches from public addresses, and from these origins even if they are private. */
  readonly createFetch: (private_origins: readonly string[]) => SafeFetch
  readonly clock: Clock
  /** The token for the signing `bearer`. */
  readonly token: string | null
  readonly limits?: Partial<StacHostLimits>
}

export interface StacHostLimits {
  readonly request_timeout_ms: number
  readonly backoff_ms: number
  readonly max_response_bytes: number
  readonly max_file_bytes: number
  readonly max_page_size: number
  /** The time after which collections are read again. */
  readonly collections_ms: number
  /** Time after a failure in which `check` does not query a host. */
  readonly failure_ms: number
}

const mebibyte = 1024 * 1024
const default_limits: StacHostLimits = {
  request_timeout_ms: 20_000,
  backoff_ms: 500,
  max_response_bytes: 64 * mebibyte,
  max_file_bytes: 4096 * mebibyte,
  max_page_size: 100,
  collections_ms: 3_600_000,
  failure_ms: 20_000,
}

const max_files_per_scene = 50
const max_documents_per_scene = 10
const max_document_bytes = 16 * mebibyte
const tokenServiceUrl = 'https://planetarycomputer.microsoft.com/api/sas/v1/token'

interface ApiState extends StacApiDescription {
  readonly collections: readonly HostCollection[]
  readonly read_at_ms: number
}

/** Opens a STAC API, without a request to it. */
export function createStacHost(row: StacHostDefinition, dependencies: StacHostDependencies): ImageryHost {
  const limits = { ...default_limits, ...dependencies.limits }
  const context = openContext(row, dependencies, limits)
  const api = createApiReader(row, context, limits)
  const findItems = async (ids: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, HostItem>> =>
    findItemsById(context.client, { api: await api.read(signal), row, ids }, signal)

  const search = async (request: HostSearch, signal?: AbortSignal) => {
    if (request.limit < 1 || request.ids?.length === 0) return []
    const { capabilities } = await api.read(signal)
    const wanted = intersectCollections(row.collections, request.collections)
    if (wanted?.length === 0) return []
    const { max_page_size } = limits
    const now_ms = dependencies.clock.now().getTime()
    const searchContext = { client: context.client, capabilities, collections: wanted, max_page_size, now_ms }
    return searchNewestFirst(searchContext, request, signal)
  }

  return {
    ...pickMetadata(row),
    get collections() {
      return api.collections()
    },
    delivers_later: false,
    check: api.check,
    search,
    quicklook: async (id, signal) => {
      const item = (await findItems([id], signal)).get(id)
      return item ? fetchQuicklook(context, resolveAssets(item, row), signal) : null
    },
    sceneFiles: createSceneFileReader(context, {
      signing: row.signing,
      findItem: async (id, signal) => (await findItems([id], signal)).get(id) ?? null,
      listFiles: (item) => listFiles(resolveAssets(item, row), row),
      listAuxiliaryFiles: (item, delivered) => listAuxiliaryAssets(resolveAssets(item, row), delivered),
    }),
    async place({ id, scenes }, signal) {
      const items = await findItems(scenes, signal)
      for (const scene of scenes) {
        const item = items.get(scene)
        if (!item) throw new HostRefusal(`The host has no scene "${scene}".`)
        if (listFiles(item, row).length === 0)
          throw new HostRefusal(`The host has no file of the scene "${scene}" that can be delivered.`)
      }
      return { reference: encodeDeliveryReference(id, scenes) }
    },
    async deliveries(reference, signal) {
      const scenes = decodeDeliveryReference(reference)
      const items = await findItems(scenes, signal)
      const missing = scenes.find((scene) => !items.has(scene))
      if (missing !== undefined) return { state: 'refused', reason: `The host no longer has the scene "${missing}".` }
      return { state: 'ready', files: [...items.values()].flatMap((item) => toHostFiles(item, row, context, limits)) }
    },
  }
}

const pickMetadata = (row: StacHostDefinition): HostMetadata => ({
  name: row.name,
  title: row.title,
  description: row.description,
  access_model: row.access_model,
  scope: row.scope,
  countries: row.countries,
  attribution: row.attribution,
  license: row.license,
  license_url: row.license_url,
  providers: row.providers,
  eulas: row.eulas ?? [],
  eula: row.eula ?? null,
})

interface HostContext {
  readonly client: StacClient
  readonly fetch: SafeFetch
  readonly sign: ReturnType<typeof createHostRequestSigner>
}

function openContext(row: StacHostDefinition, dependencies: StacHostDependencies, limits: StacHostLimits): HostContext {
  const { origin } = new URL(row.url)
  const fetch = dependencies.createFetch([...(row.allow_private ? [origin] : []), ...row.private_origins])
  const sign = createHostRequestSigner({
    signing: row.signing,
    origins: new Set([origin, ...row.token_origins]),
    token: dependencies.token,
    token_url: tokenServiceUrl,
    fetch,
    clock: dependencies.clock,
  })
  const { max_response_bytes, request_timeout_ms, backoff_ms } = limits
  return {
    fetch,
    sign,
    client: createStacClient({ fetch, sign, max_response_bytes, request_timeout_ms, backoff_ms }),
  }
}

/** Reads the landing page and the collections once for all callers, and again when they are old. */
function createApiReader(row: StacHostDefinition, { client }: HostContext, limits: StacHostLimits) {
  const failures = createFailureCache(limits.failure_ms)
  let state: ApiState | null = null
  let reading: Promise<ApiState> | null = null

  const readApi = async (): Promise<ApiState> => {
    try {
      const description = await describeStacApi(client, row.url)
      const collections = await readStacCollections(client, description.collections_url, row)
      state = { ...description, collections, read_at_ms: monotonic_ms() }
      failures.clear()
      return state
    } catch (error) {
      failures.record(error)
      throw error
    }
  }
  const refresh = (): Promise<ApiState> => {
    // Shared by all waiting callers, so no single caller's signal aborts it.
    reading ??= readApi().finally(() => {
      reading = null
    })
    return reading
  }
  const isOld = ({ read_at_ms }: ApiState): boolean => monotonic_ms() - read_at_ms > limits.collections_ms
  return {
    collections: () => state?.collections ?? [],
    /** The cached description; read first if there is none. An old one is used while it is read again. */
    async read(signal?: AbortSignal): Promise<StacApiDescription> {
      if (state && isOld(state)) refresh().catch(() => undefined)
      if (state) return state
      failures.throwIfRecent()
      signal?.throwIfAborted()
      return refresh()
    },
    /** Asks the API now, unless it failed a moment ago. */
    async check(signal?: AbortSignal): Promise<void> {
      failures.throwIfRecent()
      if (!state || isOld(state)) return void (await refresh())
      try {
        await describeStacApi(client, row.url, signal)
      } catch (error) {
        failures.record(error)
        throw error
      }
    },
  }
}

/** Null for all; an empty list if the search names none that is offered. */
function intersectCollections(
  offered: readonly string[] | null,
  wanted: readonly string[] | undefined,
): readonly string[] | null {
  if (!wanted || wanted.length === 0) return offered
  return offered ? wanted.filter((id) => offered.includes(id)) : wanted
}

const max_item_pages = 10

/** Items by id; of two collections with the same id, the first that the API returns. */
async function findItemsById(
  client: StacClient,
  {
    api,
    row,
    ids,
  }: { readonly api: StacApiDescription; readonly row: StacHostDefinition; readonly ids: readonly string[] },
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, HostItem>> {
  const found = new Map<string, HostItem>()
  const wanted = new Set(ids)
  const request = createStacSearchRequest(
    { ...api.capabilities, canSort: false },
    {
      search: { ids, limit: ids.length },
      collections: row.collections,
      window: { from_ms: null, to_ms: null },
      page_size: Math.max(ids.length, 1),
    },
  )
  for await (const items of readStacItemPages(client, request, { max_pages: max_item_pages }, signal)) {
    for (const item of items) {
      const { id } = item.scene
      if (wanted.has(id) && !found.has(id)) found.set(id, item)
    }
    if (found.size === wanted.size) break
  }
  return found
}

const resolveHref = (href: string, { url }: StacHostDefinition): string =>
  URL.canParse(href, url) ? new URL(href, url).href : href

/** The item with absolute URLs. */
const resolveAssets = (item: HostItem, row: StacHostDefinition): HostItem => ({
  ...item,
  assets: item.assets.map((asset): HostItemAsset => ({ ...asset, href: resolveHref(asset.href, row) })),
})

const listFiles = (item: HostItem, { asset_keys }: StacHostDefinition) =>
  listDataAssets(item, asset_keys).slice(0, max_files_per_scene)

function toHostFiles(
  item: HostItem,
  row: StacHostDefinition,
  context: HostContext,
  limits: StacHostLimits,
): HostFile[] {
  const rasters = listFiles(item, row)
  const documents = listDocumentAssets(item, row.asset_keys).slice(0, max_documents_per_scene)
  const keys = toUniqueAssetKeys([...rasters, ...documents].map(({ key }) => key))
  const fetch = createSignedFetch(context)
  const toFile = ({ href, size, sha256, bands }: HostItemAsset, asset: string, max_bytes: number): HostFile => {
    const url = resolveHref(href, row)
    const file_name = posix.basename(URL.canParse(url) ? new URL(url).pathname : href) || asset
    const download: HostFile['download'] = (localPath, signal) =>
      downloadFile(url, localPath, { ...context, max_bytes }, signal)
    return { scene: item.scene.id, asset, file_name, size, sha256, bands, download }
  }
  return [
    ...rasters.map((asset, index): HostFile => ({
      ...toFile(asset, keys[index]!, limits.max_file_bytes),
      ...(asset.nodata === null ? {} : { nodata: asset.nodata }),
      location: { kind: 'remote', url: resolveHref(asset.href, row), fetch },
    })),
    ...documents.map((asset, index): HostFile => ({
      ...toFile(asset, keys[rasters.length + index]!, max_document_bytes),
      document_type: asset.media_type,
    })),
  ]
}
