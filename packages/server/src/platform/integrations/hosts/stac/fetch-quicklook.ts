import type { HostQuicklook } from '../../imagery-host.ts'
import type { SafeFetch } from '../../integrations.ts'
import type { HostRequestSigner } from '../signing.ts'
import { findQuicklookGrids } from '../stac-grid.ts'
import { listPreviewAssets, detectImageMediaType, type HostItem } from '../stac-item.ts'

const max_quicklook_bytes = 8 * 1024 * 1024
const quicklook_timeout_ms = 15_000

/** The first image of an item with absolute URLs that can be read, with where it lies; null if there is none. */
export async function fetchQuicklook(
  { fetch, sign }: { readonly fetch: SafeFetch; readonly sign: HostRequestSigner },
  item: HostItem,
  signal?: AbortSignal,
): Promise<HostQuicklook | null> {
  for (const { href, grid } of listPreviewAssets(item)) {
    const { url, headers } = await sign({ url: href, headers: {} })
    const limits = { limit_bytes: max_quicklook_bytes, timeout_ms: quicklook_timeout_ms }
    const response = await fetch(url, { headers, ...limits, ...(signal ? { signal } : {}) }).catch(() => null)
    signal?.throwIfAborted()
    const media_type = response?.status === 200 ? detectImageMediaType(response.body) : null
    if (response && media_type)
      return { bytes: response.body, media_type, ...findQuicklookGrids({ grid, scene_grid: item.grid }) }
  }
  return null
}
