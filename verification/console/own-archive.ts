import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '../prove/harness/resources.ts'

const demo = new URL('../../packages/server/demo/scenes/naip-va/', import.meta.url)
const picture = 'm_3607824_se_17_1_20160620_subset.tif'

/** Footprint of the pixels of all scenes of the archive. */
const footprint: readonly (readonly [number, number])[] = [
  [-78.000165, 36.620734],
  [-77.996814, 36.62065],
  [-77.996709, 36.623351],
  [-78.00006, 36.623435],
  [-78.000165, 36.620734],
]

/** Within every scene, as the address of Explore has it. */
export const archiveArea = '-77.9995,36.6212;-77.9975,36.6212;-77.9975,36.6229;-77.9995,36.6229'
export const archiveHost = 'flights'
/** A collection with a licence agreement, with one scene; and one without, empty until a scene is published. */
const licensedCollection = 'flights-licensed'
export const archiveAgreement = {
  title: 'Licence of the flights',
  text: 'You may use the imagery inside your organization.',
}

/** An archive of an operator with scenes for sale, beside the demonstration hosts. */
export interface OwnArchive extends AsyncDisposable {
  /** Of a server that has the archive as a host. */
  readonly settings: Readonly<Record<string, string>>
  /** Adds a scene that needs no agreement. */
  publish(id: string, acquired_at: Date): Promise<void>
  withdraw(id: string): Promise<void>
}

export async function createOwnArchive(): Promise<OwnArchive> {
  const folder = await createFolder('own-archive')
  const scenes = join(folder.path, 'scenes')
  await mkdir(scenes)
  await copyFile(new URL(picture, demo), join(scenes, 'flight.tif'))
  const fileOf = (id: string): string => join(scenes, `${id}.json`)
  const write = (id: string, collection: string, datetime: string): Promise<void> =>
    writeFile(fileOf(id), JSON.stringify(toItem(id, collection, datetime)))
  // Older than every other scene, so that it is not the first of a list of all hosts.
  await write('flight-licensed', licensedCollection, '2001-05-01T10:00:00Z')
  const hostsFile = join(folder.path, 'hosts.json')
  await writeFile(hostsFile, JSON.stringify({ hosts: [archiveEntry] }))
  return {
    settings: { CATALOG_HOSTS_FILE: hostsFile },
    publish: (id, acquired_at) => write(id, 'flights', acquired_at.toISOString()),
    withdraw: (id) => rm(fileOf(id), { force: true }),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  }
}

const price = { product: 'Flights', rate_credits: 200, minimum_km2: 1, licences: ['standard'] }

const archiveEntry = {
  kind: 'archive',
  name: archiveHost,
  title: 'Flights of the survey',
  license: 'proprietary',
  license_url: 'https://example.com/licence',
  attribution: 'Example Survey {year}',
  folder: 'scenes',
  refresh_s: 1,
  eulas: [
    {
      name: 'flights',
      title: archiveAgreement.title,
      documents: [{ version: '1', valid_from: '2025-01-01', text: archiveAgreement.text }],
    },
  ],
  collections: [
    { id: licensedCollection, title: 'Flights, licensed', gsd: 1, price, eula: 'flights' },
    { id: 'flights', title: 'Flights', gsd: 1, price },
  ],
}

const toItem = (id: string, collection: string, datetime: string) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  collection,
  geometry: { type: 'Polygon', coordinates: [footprint] },
  bbox: [-78.000165, 36.62065, -77.996709, 36.623435],
  properties: { datetime, gsd: 1, 'eo:cloud_cover': 0 },
  links: [],
  assets: {
    data: {
      href: 'flight.tif',
      type: 'image/tiff; application=geotiff',
      roles: ['data'],
      'eo:bands': ['red', 'green', 'blue', 'nir'].map((name) => ({ name, common_name: name })),
    },
  },
})
