import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SafeFetch } from '../integrations.ts'
import { createHostRequestSigner } from './signing.ts'

const blob = 'https://naipeuwest.blob.core.windows.net/naip/a.tif'
const token_url = 'https://tokens.example.com/token'

function createService(expiry: () => string, status = 200) {
  const requested: string[] = []
  const fetch: SafeFetch = async (url) => {
    requested.push(url)
    const body = new TextEncoder().encode(
      JSON.stringify({ token: `se=${encodeURIComponent(expiry())}&sig=${requested.length}` }),
    )
    return { status, headers: {}, body, url }
  }
  return { fetch, requested }
}

test('files of Azure are signed with a token that is used until a minute before it expires', async () => {
  let now = new Date('2026-01-01T00:00:00Z')
  const { fetch, requested } = createService(() => new Date(now.getTime() + 3_600_000).toISOString())
  const clock = { now: () => now }
  const sign = createHostRequestSigner({
    signing: 'planetary-computer',
    origins: new Set(),
    token: null,
    token_url,
    fetch,
    clock,
  })
  const sig = async (url: string): Promise<string | null> =>
    new URL((await sign({ url, headers: {} })).url).searchParams.get('sig')
  assert.deepEqual(
    [await sig(blob), await sig(`${blob}?comp=x`), await sig(blob.replace('a.tif', 'b.tif'))],
    ['1', '1', '1'],
  )
  assert.deepEqual(requested, [`${token_url}/naipeuwest/naip`])
  now = new Date('2026-01-01T00:59:30Z')
  assert.equal(await sig(blob), '2')
  const untouched = [
    'https://planetarycomputer.microsoft.com/api/x.png',
    `${blob}?sig=own`,
    'https://evil.example/naip/a.tif',
  ]
  for (const url of untouched) assert.equal((await sign({ url, headers: {} })).url, url)
  assert.equal(requested.length, 2)
})

test('a token service that fails fails the request', async () => {
  const { fetch } = createService(() => '', 503)
  const clock = { now: () => new Date(0) }
  const sign = createHostRequestSigner({
    signing: 'planetary-computer',
    origins: new Set(),
    token: null,
    token_url,
    fetch,
    clock,
  })
  await assert.rejects(sign({ url: blob, headers: {} }), /no token/)
})
