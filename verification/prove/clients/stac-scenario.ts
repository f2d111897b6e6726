import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Client } from '@swath/client/client.ts'
import { createBox } from '../harness/demo-scene.ts'
import { uploadFile } from '../load/upload-file.ts'

const scenes = new URL('../../../packages/server/demo/scenes/', import.meta.url)

/** Scenes whose metadata alone is stored: more than three pages of three. */
const described_scenes = 11

/** A file that was uploaded, with the STAC ids of its item. */
interface UploadedFile {
  /** The file as it was before its upload. */
  readonly path: string
  readonly item: string
  readonly collection: string
  /** Its id on the platform, and the address of the stored file. */
  readonly id: string
  readonly href: string
}

interface StoredFeature {
  readonly id: string
  readonly collection: string
  readonly assets: Readonly<Record<string, { readonly href: string; readonly roles?: readonly string[] }>>
}

/** What the readers of STAC find on the server. */
export interface StacScenario {
  /** A key that may read and write. */
  readonly token: string
  readonly project: string
  /** A collection of scenes without files of ours: their ids, by growing cloud cover and time. */
  readonly described: { readonly collection: string; readonly items: readonly string[] }
  /** Files of one band, in a collection. */
  readonly bands: readonly UploadedFile[]
  /** A file of four bands whose item is in no collection. */
  readonly image: UploadedFile
}

/** A scene as a host of STAC 1.1 describes it, which states its reference system as `proj:code`. */
const describeScene = (index: number): Record<string, unknown> => ({
  type: 'Feature',
  stac_version: '1.1.0',
  stac_extensions: ['https://stac-extensions.github.io/projection/v2.0.0/schema.json'],
  id: `scene ${index}`,
  geometry: createBox(20 + index, 20, 21 + index, 21),
  bbox: [20 + index, 20, 21 + index, 21],
  properties: {
    title: index === 3 ? 'Port of Oslo' : `Scene ${index}`,
    datetime: new Date(Date.UTC(2024, index, 1)).toISOString(),
    'eo:cloud_cover': index * 5,
    platform: index % 2 === 0 ? 'sentinel-2a' : 'landsat-8',
    'proj:code': 'EPSG:32634',
  },
  assets: { data: { href: `https://files.example/scene-${index}.tif`, type: 'image/tiff', roles: ['data'] } },
  links: [],
})

/** Creates collections, scenes and uploaded files through the API. */
export async function createStacScenario(client: Client): Promise<StacScenario> {
  const call = (operation: string, input: object): Promise<{ id: string }> => client.call(operation, { ...input })
  const { id: project_id } = await call('projects.create', { name: 'Readers of STAC' })
  const create = (name: string) => call('collections.create', { project_id, name })
  const described = await create('Harbour scenes')
  const files = await create('Bands')
  const features = Array.from({ length: described_scenes }, (_, index) => describeScene(index))
  await client.call('items.batch_create', { project_id, collection_id: described.id, features })
  const upload = async (path: string, file_name: string, target_collection_id?: string): Promise<UploadedFile> => {
    const url = new URL(path, scenes)
    const bytes = new Uint8Array(await readFile(url))
    const { status, item_ids } = await uploadFile(client, { project_id, file_name, bytes, target_collection_id })
    if (status !== 'completed') throw new Error(`the upload of ${file_name} is ${status}`)
    const id = item_ids[0]!
    const feature = await client.call<StoredFeature>('items.get_stac', { item_id: id })
    const { href } = Object.values(feature.assets).find(({ roles }) => roles?.includes('data'))!
    return { path: fileURLToPath(url), item: feature.id, collection: feature.collection, id, href }
  }
  const bands: UploadedFile[] = []
  for (const band of ['B4', 'B5'])
    bands.push(await upload(`landsat8-elkton/L8-${band}-Elkton-VA.tif`, `elkton_${band}_20240601.tif`, files.id))
  const image = await upload('naip-va/m_3607824_se_17_1_20160620_subset.tif', 'naip_20160620.tif')
  const access = { name: 'Readers of STAC', permissions: ['can_read', 'can_write'] }
  const { key: token } = await client.call<{ key: string }>('api_keys.create', access)
  const items = features.map(({ id }) => id as string)
  return { token, project: project_id, described: { collection: described.id, items }, bands, image }
}
