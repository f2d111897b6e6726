import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RasterFailure } from '../../failures.ts'
import type { HttpFetch, HttpFetchOptions } from './http.ts'
import { s3Source } from './s3.ts'
import type { S3Object } from './s3.ts'

/** The credentials, time and object of the examples in AWS's description of Signature Version 4. */
const example: S3Object = {
  bucket: 'examplebucket',
  key: 'test.txt',
  region: 'us-east-1',
  endpoint: 'https://s3.amazonaws.com',
  credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
}
const now = (): Date => new Date('2013-05-24T00:00:00Z')

async function requestFor(object: Partial<S3Object>): Promise<{ url: string } & HttpFetchOptions> {
  let seen: ({ url: string } & HttpFetchOptions) | undefined
  const ask: HttpFetch = async (url, request) => {
    seen = { url, ...request }
    const headers = new Headers({ 'content-range': 'bytes 0-9/100' })
    return { status: 206, headers, body: new Uint8Array(10) }
  }
  const source = s3Source({ ...example, ...object }, ask, { first_read_bytes: 10, now })
  assert.equal((await source.read(0, 10)).length, 10)
  assert.equal(source.size, 100)
  return seen!
}

test('the signature of a range is the one that AWS publishes', async () => {
  const { url, headers } = await requestFor({})
  assert.equal(url, 'https://examplebucket.s3.amazonaws.com/test.txt')
  assert.equal(headers['x-amz-date'], '20130524T000000Z')
  assert.equal(headers['x-amz-content-sha256'], 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  assert.equal(
    headers['authorization']!.replaceAll(', ', ','),
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
  assert.equal(headers['host'], undefined)
})

test('where an object lies', async () => {
  const addresses: [object: Partial<S3Object>, url: string][] = [
    [{ endpoint: undefined, region: 'eu-central-1' }, 'https://examplebucket.s3.eu-central-1.amazonaws.com/test.txt'],
    [{ forcePathStyle: true }, 'https://s3.amazonaws.com/examplebucket/test.txt'],
    [{ bucket: 'with.dots' }, 'https://s3.amazonaws.com/with.dots/test.txt'],
    [{ endpoint: 'http://127.0.0.1:9000/', forcePathStyle: true }, 'http://127.0.0.1:9000/examplebucket/test.txt'],
    [{ endpoint: 'https://host/s3/', forcePathStyle: true }, 'https://host/s3/examplebucket/test.txt'],
    [
      { key: 'a b/ü+(1)?#%/x//y.tif' },
      'https://examplebucket.s3.amazonaws.com/a%20b/%C3%BC%2B%281%29%3F%23%25/x//y.tif',
    ],
  ]
  for (const [object, url] of addresses) assert.equal((await requestFor(object)).url, url)
})

test('a key that an address cannot hold is refused', () => {
  for (const key of ['', '.', 'a/../b', 'a/./b', '..']) {
    assert.throws(
      () => s3Source({ ...example, key }, async () => assert.fail()),
      (error: unknown) => error instanceof RasterFailure && error.kind === 'source',
    )
  }
})

test('credentials may be fetched, and may have a token', async () => {
  let fetched = 0
  const credentials = async () => {
    fetched++
    return { accessKeyId: 'A', secretAccessKey: 'S', sessionToken: 'T' }
  }
  const { headers } = await requestFor({ credentials })
  assert.equal(headers['x-amz-security-token'], 'T')
  assert.match(headers['authorization']!, /Credential=A\/.*x-amz-security-token/)
  assert.ok(fetched > 0)
  const failing = s3Source({ ...example, credentials: () => Promise.reject(new Error('none')) }, async () =>
    assert.fail(),
  )
  await assert.rejects(
    failing.read(0, 10),
    (error: unknown) => error instanceof RasterFailure && error.kind === 'source',
  )
})
