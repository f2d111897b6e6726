import type { Client } from '@swath/client/client.ts'
import { folderTarget } from '@swath/client/node/folder-target.ts'
import {
  downloadItems,
  type DownloadedFile,
  type FolderDownloadOptions,
} from '@swath/client/transfer/download-items.ts'
import { downloadCollection, downloadOrder, downloadProject } from '@swath/client/transfer/download-selections.ts'
import type { CommandContext } from '../context.ts'
import { createProgress, formatBytes } from '../output/progress.ts'
import type { Entity, EntityKind } from './find-entity.ts'

/** What has files. */
export const downloadableKinds: readonly EntityKind[] = ['order', 'item', 'collection', 'project']

/** Downloads the files of an order, an item, a collection or a project into a folder, with progress on the terminal. */
export async function downloadEntity(
  context: CommandContext,
  client: Client,
  { kind, id }: Entity,
  { folder, verify }: { readonly folder: string; readonly verify?: 'checksum' | 'size' },
): Promise<DownloadedFile[]> {
  const progress = createProgress(context, 'Downloading')
  const options: FolderDownloadOptions = {
    ...(verify ? { verify } : {}),
    onProgress: ({ done_bytes, total_bytes }) => progress.update(done_bytes, total_bytes),
  }
  const target = folderTarget(folder)
  try {
    switch (kind) {
      case 'order':
        return await downloadOrder(client, { order_id: id }, target, options)
      case 'collection':
        return await downloadCollection(client, { collection_id: id }, target, options)
      case 'project':
        return await downloadProject(client, { project_id: id }, target, options)
      default: {
        const { item } = await client.call('items.get', { item_id: id })
        return await downloadItems(client, [{ id, name: item.name }], target, options)
      }
    }
  } finally {
    progress.end()
  }
}

/** One sentence about downloaded files. */
export function describeFiles(files: readonly DownloadedFile[], folder: string): string {
  const fresh = files.filter(({ state }) => state === 'downloaded')
  const bytes = fresh.reduce((sum, file) => sum + file.bytes, 0)
  const others = fresh.length < files.length ? `, ${files.length - fresh.length} were there` : ''
  return `${fresh.length} files downloaded (${formatBytes(bytes)})${others}; all are verified in ${folder}.`
}

/** The rows of an output. */
export const toFileRows = (files: readonly DownloadedFile[]) =>
  files.map(({ path, item_id, asset_id, state, bytes, sha256 }) => ({ path: path.join('/'), state, bytes, sha256, item_id, asset_id })) // prettier-ignore
