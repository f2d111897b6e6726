import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { morePlaces, operatorPlaces } from './more-places.ts'

/** Opened from another screen, or by the server. */
const others = ['/watch/rules/new', '/auth/callback']

test('the palette leads to every screen that has a fixed URL below a place of the rail', async () => {
  const router = await readFile(new URL('../../app/router.tsx', import.meta.url), 'utf8')
  const urls = [...router.matchAll(/'(\/[a-z]+\/[a-z/]+)'/g)].map(([, url]) => url!)
  assert.ok(urls.length > 20, 'the URLs are found in the router')
  const known = [...morePlaces, ...operatorPlaces].map(({ path }) => path)
  assert.deepEqual(
    urls.filter((url) => !known.includes(url) && !others.includes(url)),
    [],
  )
})
