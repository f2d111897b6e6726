import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { morePlaces, operatorPlaces } from './more-places.ts'

/** Opened from another screen, or by the server. */
const others = ['/watch/rules/new', '/auth/callback']

test('the palette leads to every screen that has a fixed address below a place of the rail', async () => {
  const router = await readFile(new URL('../../app/router.tsx', import.meta.url), 'utf8')
  const addresses = [...router.matchAll(/'(\/[a-z]+\/[a-z/]+)'/g)].map(([, address]) => address!)
  assert.ok(addresses.length > 20, 'the addresses are found in the router')
  const known = [...morePlaces, ...operatorPlaces].map(({ path }) => path)
  assert.deepEqual(
    addresses.filter((address) => !known.includes(address) && !others.includes(address)),
    [],
  )
})
