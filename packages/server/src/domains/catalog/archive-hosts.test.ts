import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stacItem } from '../../../test/hosts/stac-server.ts'
import { createArchiveHost } from '../../platform/integrations/hosts/archive/archive-host.ts'
import { createArchiveIndex, resolveArchiveFilePath } from '../../platform/integrations/hosts/archive/archive-index.ts'
import { openFolderSource } from '../../platform/integrations/hosts/archive/archive-source.ts'
import type { ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { renderQuicklook } from './scene-quicklook.ts'

const raster = fileURLToPath(new URL('../../../demo/scenes/', import.meta.url))
const { scenes: demoScenes } = JSON.parse(
  await readFile(new URL('../../../demo/scenes.json', import.meta.url), 'utf8'),
) as { scenes: { id: string; assets: { files: { path: string }[] }[] }[] }
const naip = join(raster, demoScenes.find(({ id }) => id === 'naip-va-17n')!.assets[0]!.files[0]!.path)

const collection = {
  id: 'scenes',
  title: 'Scenes',
  data_type: 'optical',
  render_strategy: 'cog',
  gsd: 1,
  render_params: {},
  license: 'proprietary',
  license_url: 'https://example.com/licence',
  attribution: 'Mine',
  price: { product: 'Archive', rate_credits: 100, minimum_km2: 1, licences: ['standard'] },
  queryables: [],
}

/** An archive of JSON documents by path; GeoTIFF files are copies of a small scene. */
async function openArchive(t: TestContext, documents: Readonly<Record<string, unknown>>, rasters: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'swath-archive-'))
  t.after(() => rm(folder, { recursive: true }))
  const write = async (path: string, document: unknown): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), typeof document === 'string' ? document : JSON.stringify(document))
  }
  for (const [path, document] of Object.entries(documents)) await write(path, document)
  for (const path of rasters) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await copyFile(naip, join(folder, path))
  }
  const invalid: [number, string][] = []
  const source = openFolderSource(folder)
  const index = createArchiveIndex({
    source,
    collections: new Set(['scenes']),
    asset_keys: null,
    refresh_ms: 0,
    onInvalidItems: (...counts) => invalid.push(counts),
  })
  const metadata = {
    name: 'mine',
    title: 'Mine',
    description: 'Mine',
    access_model: 'commercial' as const,
    scope: 'global',
    countries: [],
    attribution: 'Mine',
    license: 'proprietary',
    license_url: 'https://example.com/licence',
    providers: [],
    collections: [collection],
  }
  const host: ImageryHost = createArchiveHost({ metadata, source, index, renderQuicklook })
  return { host, folder, write, invalid }
}

const listIds = async (host: ImageryHost): Promise<string[]> => (await host.search({ limit: 100 })).map(({ id }) => id)

test('an archive offers the items of static catalogues and item collections, and leaves out the others', async (t) => {
  const day = (number: number) => `2025-01-0${number}T00:00:00Z`
  const { host, invalid } = await openArchive(
    t,
    {
      'catalog.json': { type: 'Catalog', id: 'root', links: [] },
      'scenes/collection.json': { type: 'Collection', id: 'scenes' },
      'scenes/a/a.json': stacItem('a', day(1)),
      'many.geojson': {
        type: 'FeatureCollection',
        features: [stacItem('b', day(3)), stacItem('c', day(2)), { type: 'Feature' }],
      },
      'other.json': stacItem('other', day(1), { collection: 'not-for-sale' }),
      'outside.json': stacItem('outside', day(1), {
        assets: { data: { href: '../../etc/passwd.tif', type: 'image/tiff', roles: ['data'] } },
      }),
      'broken.json': '{',
    },
    [],
  )
  assert.deepEqual(await listIds(host), ['b', 'c', 'a'])
  assert.deepEqual(
    await host.search({ limit: 1, after: { datetime: day(3), id: 'b' } }).then(([scene]) => scene?.id),
    'c',
  )
  assert.deepEqual(
    await host.search({
      limit: 10,
      intersects: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    }),
    [],
  )
  assert.deepEqual(invalid, [[4, 'broken.json']])
})

test('an archive delivers a copy of the file, and makes a quicklook from it if there is no thumbnail', async (t) => {
  const bytes = await readFile(naip)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const data = {
    href: './a.tif',
    type: 'image/tiff; application=geotiff',
    roles: ['data'],
    'file:size': bytes.length,
    'file:checksum': `1220${sha256}`,
  }
  const { host, folder } = await openArchive(
    t,
    {
      'x/a.json': stacItem('a', '2025-01-01T00:00:00Z', { assets: { 'Data-File': data } }),
      'x/b.json': stacItem('b', '2025-01-01T00:00:00Z', { assets: { data: { ...data, href: 'link.tif' } } }),
    },
    ['x/a.tif'],
  )
  await symlink('/etc/hostname', join(folder, 'x/link.tif'))
  assert.equal((await host.quicklook('a'))?.media_type, 'image/png')
  assert.equal(await host.quicklook('none'), null)
  const { reference } = await host.place({ id: 'order', scenes: ['a', 'b'] })
  const delivery = await host.deliveries(reference)
  assert.ok(delivery.state === 'ready')
  const [file, link] = delivery.files
  assert.deepEqual([file?.asset, file?.size, file?.sha256], ['data_file', bytes.length, sha256])
  await file!.download(join(folder, 'copy'), AbortSignal.timeout(1000))
  assert.deepEqual(await readFile(join(folder, 'copy')), bytes)
  // A link that leads out of the folder is not followed.
  await assert.rejects(link!.download(join(folder, 'copy'), AbortSignal.timeout(1000)), /not inside the folder/)
})

test('items that are added, changed and removed are found after the next refresh', async (t) => {
  const { host, folder, write } = await openArchive(t, { 'a.json': stacItem('a', '2025-01-01T00:00:00Z') }, [])
  assert.deepEqual(await listIds(host), ['a'])
  await write('b.json', stacItem('b', '2025-01-02T00:00:00Z'))
  await write('a.json', stacItem('a2', '2025-01-01T00:00:00Z'))
  await utimes(join(folder, 'a.json'), 1, 1)
  // The first search begins the refresh, and still returns the known scenes.
  const readLater = async (): Promise<string[]> => {
    let ids = await listIds(host)
    for (let tries = 0; tries < 500 && ids.join() === 'a'; tries += 1) {
      await pause(20)
      ids = await listIds(host)
    }
    return ids
  }
  assert.deepEqual(await readLater(), ['b', 'a2'])
})

test('an archive whose folder is missing is unavailable', async () => {
  const source = openFolderSource(join(tmpdir(), 'swath-no-such-folder'))
  const index = createArchiveIndex({ source, collections: new Set(), asset_keys: null, refresh_ms: 0 })
  await assert.rejects(index.scenes())
})

test('references of items stay within the archive', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['a.tif', 'items/a.tif'],
    ['../a.tif', 'a.tif'],
    ['../../a.tif', null],
    ['/etc/passwd', null],
    ['s3://bucket/archive/x/a.tif', 'x/a.tif'],
    ['s3://bucket/archive/../other/a.tif', null],
    ['s3://bucket/other/a.tif', null],
    ['https://example.com/a.tif', null],
  ]
  for (const [href, path] of cases)
    assert.equal(resolveArchiveFilePath('s3://bucket/archive', 'items/a.json', href), path, href)
})
