import { createBoundedCache } from '../../../bounded-cache.ts'
import { monotonic_ms } from '../../../clock.ts'
import type { HostSceneFile, ImageryHost } from '../../imagery-host.ts'
import type { SafeFetch } from '../../integrations.ts'
import { toUniqueAssetKeys, type HostItem, type HostItemAsset } from '../stac-item.ts'
import type { HostRequestSigner, HostRequestAuthorization } from '../signing.ts'

export interface SceneFileReaderOptions {
  readonly signing: HostRequestAuthorization
  readonly findItem: (id: string, signal?: AbortSignal) => Promise<HostItem | null>
  /** The files that are delivered, with absolute URLs. */
  readonly listFiles: (item: HostItem) => readonly HostItemAsset[]
  /** Files beside those. */
  readonly listAuxiliaryFiles: (item: HostItem, delivered: readonly HostItemAsset[]) => readonly HostItemAsset[]
}

/** Fetches with the authorization of the host, each request signed by itself. */
export const createSignedFetch =
  ({ fetch, sign }: { readonly fetch: SafeFetch; readonly sign: HostRequestSigner }): SafeFetch =>
  async (url, options) => {
    const signed = await sign({ url, headers: options?.headers ?? {} })
    return fetch(signed.url, { ...options, headers: signed.headers })
  }

/** Every tile of a map needs its item, which hardly ever changes. */
const max_items = 500
const item_age_ms = 300_000

/**
 * Reads which files of a scene can be read in place. Those of a host with a token of the operator cannot: a token is not
 * sent with the many requests of a map.
 */
export function createSceneFileReader(
  { fetch, sign }: { readonly fetch: SafeFetch; readonly sign: HostRequestSigner },
  { signing, findItem, listFiles, listAuxiliaryFiles }: SceneFileReaderOptions,
): NonNullable<ImageryHost['sceneFiles']> {
  const items = createBoundedCache<string, HostItem>({
    max_entries: max_items,
    max_age: { ms: item_age_ms, now_ms: monotonic_ms },
  })
  const fetchSigned = createSignedFetch({ fetch, sign })
  return async (id, signal) => {
    const item = items.get(id) ?? (await findItem(id, signal))
    if (!item) return null
    items.set(id, item)
    if (signing === 'bearer') return { scene: item.scene, files: [] }
    const delivered = listFiles(item)
    const auxiliary = toSceneFiles(listAuxiliaryFiles(item, delivered), fetchSigned)
    return { scene: item.scene, files: toSceneFiles(delivered, fetchSigned), auxiliary }
  }
}

function toSceneFiles(assets: readonly HostItemAsset[], fetch: SafeFetch): HostSceneFile[] {
  const keys = toUniqueAssetKeys(assets.map(({ key }) => key))
  return assets.map(({ href, bands, nodata }, index) => ({
    asset: keys[index]!,
    bands,
    nodata,
    location: { kind: 'remote', url: href, fetch },
  }))
}
