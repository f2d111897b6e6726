import type { TaskContext } from '../../../engine/task.ts'
import { newId } from '../../../platform/ids.ts'
import type { HostFile } from '../../../platform/integrations/imagery-host.ts'
import type { DeliveredAsset } from '../../items/deliver.ts'
import { hashFileSha256 } from '../../../platform/crypto/hash-file.ts'
import { downloadHostFile } from './open-host-file.ts'

const extensions: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/geo+json': 'geojson',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/plain': 'txt',
}

export const isHostDocumentFile = ({ document_type }: HostFile): boolean => document_type !== undefined

/**
 * Stores the documents of a scene as they are. One that cannot be fetched is left out with a note in the log: the order
 * is for the pixels.
 */
export async function storeSceneDocuments(
  context: TaskContext,
  {
    files,
    blobPrefix,
    folder,
    signal,
  }: {
    readonly files: readonly HostFile[]
    readonly blobPrefix: string
    readonly folder: string
    readonly signal: AbortSignal
  },
): Promise<DeliveredAsset[]> {
  const assets: DeliveredAsset[] = []
  for (const file of files.filter(isHostDocumentFile)) {
    try {
      assets.push(await storeDocument(context, file, await downloadHostFile(file, folder, signal), blobPrefix))
    } catch (error) {
      signal.throwIfAborted()
      context.log.warn({ scene: file.scene, asset: file.asset, error }, 'a document of a scene could not be delivered')
    }
  }
  return assets
}

async function storeDocument(
  { blobs }: TaskContext,
  { asset, file_name, document_type = 'text/plain' }: HostFile,
  path: string,
  blobPrefix: string,
): Promise<DeliveredAsset> {
  const blob_path = `${blobPrefix}/${asset}.${extensions[document_type] ?? 'txt'}`
  // Storing may move the file.
  const checksum_sha256 = await hashFileSha256(path)
  const { size } = await blobs.putFile(blob_path, path, document_type)
  return {
    id: newId(),
    key: asset,
    title: file_name,
    blob_path,
    media_type: document_type,
    roles: ['metadata'],
    file_size_bytes: size,
    checksum_sha256,
    raster: null,
  }
}
