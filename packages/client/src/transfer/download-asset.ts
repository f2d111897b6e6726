import type { Client } from '../client.ts'
import type { Asset } from '../operations.ts'
import { sha256OfMultihash } from './checksum.ts'
import { downloadFile, type Download, type DownloadOptions } from './download-file.ts'
import type { DownloadTarget } from './download-target.ts'
import type { RemoteFile } from './remote-reader.ts'

/** The file of an asset. The URL that was issued before is used again while it is valid, and counts as one download. */
export function toRemoteFile(
  client: Client,
  { id: asset_id, item_id, file_size_bytes, checksum }: Pick<Asset, 'id' | 'item_id' | 'file_size_bytes' | 'checksum'>,
  signal?: AbortSignal,
): RemoteFile {
  return {
    size_bytes: file_size_bytes,
    sha256: sha256OfMultihash(checksum),
    issueUrl: async (isRefused) =>
      (await client.call('items.asset.download', { item_id, asset_id, again: !isRefused }, { signal })).url,
  }
}

/**
 * Downloads the file of an asset and verifies it by the checksum of the platform.
 *
 * Throws `ApiProblem`, such as `invalid-state` for an asset whose file the platform does not have, and what `downloadFile` throws.
 */
export async function downloadAsset(
  client: Client,
  input: { readonly item_id: string; readonly asset_id: string },
  target: DownloadTarget,
  options: DownloadOptions = {},
): Promise<Download> {
  const { item_id, asset_id } = input
  const { asset } = await client.call('assets.get', { item_id, asset_id }, { signal: options.signal })
  return downloadFile(toRemoteFile(client, asset, options.signal), target, options)
}
