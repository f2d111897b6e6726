import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { HostsFileError, readHostsFile } from './hosts-file.ts'

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

const mistakes: readonly (readonly [document: unknown, message: RegExp])[] = [
  ['{', /is not valid JSON/],
  [[], /must be an object with a list "hosts"/],
  [{ hosts: [{}] }, /host 1 of the list needs a kind/],
  [{ hosts: [{ ...archive, bucket: 's3://both' }] }, /"archive" needs a kind.* a folder or a bucket/],
  [{ hosts: [stac, { ...archive, name: 'mine' }] }, /two hosts with the name "mine"/],
  [{ hosts: [{ ...stac, url: 'ftp://x' }] }, /the host "mine", field "url", must match/],
  [{ hosts: [{ ...stac, prize: 1 }] }, /the host "mine", field "prize", is not a known field/],
  [pricedAs({ rate_credits: 1.5 }), /field "collections.0.price/],
  [pricedAs({ valid_from: '2026-02-30' }), /field "collections.0.price/],
  [pricedAs({ cancel_policy: { cancellable_until: 'PLACED', fee_pct: 101 } }), /field "collections.0.price/],
  [{ hosts: [{ ...archive, collections: undefined }] }, /required/],
]

test('a file of hosts is read, folders relative to it, and every mistake is one plain sentence', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-hosts-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'hosts.json')
  const read = async (document: unknown) => {
    await writeFile(path, typeof document === 'string' ? document : JSON.stringify(document))
    return readHostsFile(path)
  }
  const hosts = await read({
    hosts: [stac, archive, { ...archive, name: 'b', folder: undefined, bucket: 's3://bucket/x' }],
  })
  assert.deepEqual(
    hosts.map((host) => ('folder' in host ? host.folder : 'url' in host ? host.url : host.bucket)),
    ['https://stac.example.com', join(folder, 'scenes'), 's3://bucket/x'],
  )
  for (const [document, message] of mistakes) {
    await assert.rejects(
      read(document),
      (error) => error instanceof HostsFileError && message.test(error.message) && !error.message.includes('\n'),
    )
  }
  await assert.rejects(readHostsFile(join(folder, 'none.json')), /cannot be read/)
})
