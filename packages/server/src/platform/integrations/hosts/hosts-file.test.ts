import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { HostsFileError, readHostsConfigFile } from './hosts-file.ts'

const common = {
  title: 'Mine',
  license: 'proprietary',
  license_url: 'https://example.com/licence',
  attribution: 'Mine',
}
const stac = { kind: 'stac', name: 'mine', ...common, url: 'https://stac.example.com' }
const price = { product: 'Archive', rate_credits: 300, minimum_km2: 5, licences: ['standard'] }
const collections = [{ id: 'aerial', title: 'Aerial', price }]
const archive = { kind: 'archive', name: 'archive', ...common, folder: 'scenes', collections }

const pricedAs = (changes: object) => ({
  hosts: [{ ...archive, collections: [{ id: 'a', title: 'A', price: { ...price, ...changes } }] }],
})
const eula = { name: 'own', title: 'Own', documents: [{ version: '1', valid_from: '2025-01-01', text: 'Text.' }] }
const withDocuments = (...documents: readonly object[]) => ({ hosts: [{ ...stac, eulas: [{ ...eula, documents }] }] })
const document = { version: '1', valid_from: '2025-01-01', text: 'Text.' }

const sensor = { id: 'pan', title: 'Pan', gsd_m: 0.5, swath_km: 12, max_off_nadir_deg: 30 }
const task = { id: 'optical', price, max_area_km2: 500 }
const stapi = {
  kind: 'stapi',
  name: 'sky',
  ...common,
  url: 'https://stapi.example.com',
  sensors: [sensor],
  products: [task],
}
const tasked = (changes: object) => ({ hosts: [{ ...stapi, products: [{ ...task, ...changes }] }] })

const mistakes: readonly (readonly [document: unknown, message: RegExp])[] = [
  ['{', /is not valid JSON/],
  [[], /must be an object with a list "hosts"/],
  [{ hosts: [{}] }, /host 1 of the list needs a kind/],
  [{ hosts: [{ ...archive, bucket: 's3://both' }] }, /"archive" needs a kind.* a folder or a bucket/],
  [{ hosts: [stac, { ...archive, name: 'mine' }] }, /two hosts with the name "mine"/],
  [{ hosts: [{ ...stac, url: 'ftp://x' }] }, /the host "mine", field "url", must match/],
  [{ hosts: [{ ...stac, prize: 1 }] }, /the host "mine", field "prize", is not a known field/],
  [pricedAs({ rate_credits: 1.5 }), /field "collections.0.price/],
  [
    pricedAs({ valid_from: '2026-02-29' }),
    /the host "archive", field "collections.0.price.valid_from", is a date that does not exist/,
  ],
  [pricedAs({ cancel_policy: { cancellable_until: 'PLACED', fee_pct: 101 } }), /field "collections.0.price/],
  [{ hosts: [{ ...archive, collections: undefined }] }, /required/],
  [{ hosts: [{ ...stapi, products: undefined }] }, /the host "sky" must have required/],
  [{ hosts: [{ ...stapi, signing: 'planetary-computer' }] }, /the host "sky", field "signing"/],
  [{ hosts: [{ ...stapi, products: [task, task] }] }, /field "products", has the id "optical" twice/],
  [{ hosts: [{ ...stapi, sensors: [sensor, sensor] }] }, /field "sensors", has the id "pan" twice/],
  [tasked({ sensors: ['sar'] }), /field "products.0.sensors", names the sensor "sar", which is not in "sensors"/],
  [tasked({ min_area_km2: 501 }), /field "products.0.min_area_km2", is larger than max_area_km2/],
  [tasked({ price: { ...price, rate_credits: -1 } }), /field "products.0.price/],
  [tasked({ cancel_policy: { fee_pct: 0 } }), /field "products.0.cancel_policy/],
  [tasked({ eula: 'other' }), /field "products.0.eula", names the agreement "other"/],
  [withDocuments(), /field "eulas.0.documents"/],
  [
    withDocuments({ ...document, valid_from: '2026-13-01' }),
    /field "eulas.0.documents.0.valid_from", is a date that does not exist/,
  ],
  [withDocuments({ ...document, text: undefined }), /"eulas.0.documents.0", needs either a text or a url/],
  [withDocuments({ ...document, url: 'https://x.example' }), /needs either a text or a url/],
  [
    withDocuments({ version: '1', valid_from: '2025-01-01', url: 'https://x.example', media_type: 'text/plain' }),
    /"eulas.0.documents.0.media_type", is that of a text/,
  ],
  [withDocuments(document, { ...document, valid_from: '2026-01-01' }), /two documents of the version "1"/],
  [withDocuments(document, { ...document, version: '2' }), /two documents that are valid from 2025-01-01/],
  [{ hosts: [{ ...stac, eulas: [eula, eula] }] }, /two agreements with the name "own"/],
  [{ hosts: [{ ...stac, eula: 'own' }] }, /field "eula", names the agreement "own", which is not in "eulas"/],
  [
    { hosts: [{ ...archive, eulas: [eula], collections: [{ id: 'a', title: 'A', eula: 'other' }] }] },
    /field "collections.0.eula", names the agreement "other"/,
  ],
]

test('a file of hosts is read, folders relative to it, and every mistake is one plain sentence', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-hosts-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'hosts.json')
  const read = async (document: unknown) => {
    await writeFile(path, typeof document === 'string' ? document : JSON.stringify(document))
    return readHostsConfigFile(path)
  }
  const hosts = await read({
    hosts: [stac, stapi, archive, { ...archive, name: 'b', folder: undefined, bucket: 's3://bucket/x' }],
  })
  assert.deepEqual(
    hosts.map((host) => ('folder' in host ? host.folder : 'url' in host ? host.url : host.bucket)),
    ['https://stac.example.com', 'https://stapi.example.com', join(folder, 'scenes'), 's3://bucket/x'],
  )
  for (const [document, message] of mistakes) {
    await assert.rejects(
      read(document),
      (error) => error instanceof HostsFileError && message.test(error.message) && !error.message.includes('\n'),
    )
  }
  await assert.rejects(readHostsConfigFile(join(folder, 'none.json')), /cannot be read/)
})
