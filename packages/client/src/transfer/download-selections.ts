import type { Client } from '../client.ts'
import { downloadItems, type DownloadedFile, type FolderDownloadOptions, type NamedItem } from './download-items.ts'
import type { FolderTarget } from './folder-target.ts'

/** Downloads what an order has delivered so far; called again, it adds what came since. */
export async function downloadOrder(
  client: Client,
  { order_id }: { readonly order_id: string },
  folder: FolderTarget,
  options: FolderDownloadOptions = {},
): Promise<DownloadedFile[]> {
  const { features } = await client.call('orders.list_assets', { order_id }, { signal: options.signal })
  const items = features.map(({ item_id, id }) => ({ id: item_id, name: id }))
  return downloadItems(client, items, folder, options)
}

/** Downloads the files of all items of a collection. */
export async function downloadCollection(
  client: Client,
  { collection_id }: { readonly collection_id: string },
  folder: FolderTarget,
  options: FolderDownloadOptions = {},
): Promise<DownloadedFile[]> {
  const { signal } = options
  const items = await listAll((offset) =>
    client.call('items.list_by_collection', { collection_id, offset }, { signal }),
  )
  return downloadItems(client, items, folder, options)
}

/** Downloads the files of all items of a project. */
export async function downloadProject(
  client: Client,
  { project_id }: { readonly project_id: string },
  folder: FolderTarget,
  options: FolderDownloadOptions = {},
): Promise<DownloadedFile[]> {
  const { signal } = options
  const items = await listAll((offset) => client.call('items.list', { project_id, offset }, { signal }))
  return downloadItems(client, items, folder, options)
}

interface ItemPage {
  readonly items: readonly NamedItem[]
  readonly next_offset: number | null
}

/** Items that are created meanwhile move others to the next page: each is taken once. */
async function listAll(readPage: (offset: number) => Promise<ItemPage>): Promise<NamedItem[]> {
  const items = new Map<string, NamedItem>()
  for (let offset: number | null = 0; offset !== null;) {
    const page: ItemPage = await readPage(offset)
    for (const { id, name } of page.items) items.set(id, { id, name })
    offset = page.next_offset
  }
  return [...items.values()]
}
