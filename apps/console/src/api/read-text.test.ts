import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearchWith } from '@tanstack/react-router'
import { parseAnalyseChoices } from '../features/analyse/state/analyse-url.ts'
import { parseCartSearch } from '../features/cart/cart-search.ts'
import { parseFilters } from '../features/explore/filters.ts'
import { parseLibrarySearch } from '../features/library/search/library-search.ts'
import { parseOrderFilters } from '../features/orders/order-filters.ts'
import { parseTaskingChoices } from '../features/tasking/tasking-url.ts'
import { readUrlText } from './read-text.ts'

/** As the router reads the query of a URL. */
const readQuery = parseSearchWith((text) => JSON.parse(text) as unknown)

test('a text of digits in a URL stays a text in every screen', () => {
  const url = readQuery('?sensor=2&project=2026&name=7&q=42&product=3&pass=4&set=%7B"year"%3A2020%7D')
  assert.equal(parseFilters(url).sensor, '2')
  assert.deepEqual(parseCartSearch(url), { project: '2026' })
  assert.deepEqual(parseOrderFilters(url), { project: '2026', name: '7' })
  assert.deepEqual(parseLibrarySearch(url), { project: '2026', q: '42' })
  const { product, sensor, pass } = parseTaskingChoices(url)
  assert.deepEqual([product, sensor, pass], ['3', '2', '4'])
  assert.deepEqual(parseAnalyseChoices(url).values, { year: '2020' })
})

test('nothing else is a text of a URL', () => {
  for (const value of ['', null, undefined, true, {}, ['a']]) assert.equal(readUrlText(value), null)
})
