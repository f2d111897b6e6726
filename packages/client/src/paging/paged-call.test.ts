import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageInput } from './next-page.ts'
import { createPagedCall } from './paged-call.ts'

const rows = [0, 1, 2, 3, 4, 5, 6]
const slice = (offset: number, limit = 3): number[] => rows.slice(offset, offset + limit)
const numberOf = (value: unknown): number => (value as number | undefined) ?? 0

/** The answers of lists of seven rows, three of which fit a page. */
const lists: Readonly<Record<string, readonly [paging: string, answer: (input: PageInput) => object]>> = {
  offset: ['offset', ({ offset }) => ({ items: slice(numberOf(offset)), limit: 3, offset, total: 7 })],
  'offset of large rows': [
    'offset',
    ({ offset }) => {
      const next = numberOf(offset) + 2
      return { items: slice(numberOf(offset), 2), limit: 3, total: 7, next_offset: next < 7 ? next : null }
    },
  ],
  'offset of features': ['offset', ({ offset }) => ({ type: 'FeatureCollection', features: slice(numberOf(offset)), numberMatched: 7 })], // prettier-ignore
  page: ['page', ({ page }) => ({ content: slice(numberOf(page) * 3), last: numberOf(page) === 2, page })],
  search: ['search', ({ page }) => ({ jobs: slice(numberOf(page) * 3), limit: 3, page, total: 7 })],
  'search of STAC': [
    'search',
    ({ token }) => {
      const offset = Number(token ?? 0)
      const next = { rel: 'next', href: 'https://a.example/v1/op/stac.search', method: 'POST', merge: true, body: { token: String(offset + 3), page: 1 } } // prettier-ignore
      return { features: slice(offset), links: offset + 3 < 7 ? [{ rel: 'root', href: '/' }, next] : [] }
    },
  ],
  token: ['token', ({ next }) => ({ events: slice(Number(next ?? 0)), ...(Number(next ?? 0) + 3 < 7 ? { next: String(Number(next ?? 0) + 3) } : {}) })], // prettier-ignore
  'token of a link': [
    'token',
    ({ next }) => {
      const offset = Number(next ?? 0)
      const href = `https://a.example/search?next=${offset + 3}`
      return { features: slice(offset), links: offset + 3 < 7 ? [{ rel: 'next', href }] : [] }
    },
  ],
}

function call(name: string) {
  const [paging, answer] = lists[name]!
  const inputs: PageInput[] = []
  const request = async (input: PageInput): Promise<object> => {
    inputs.push(input)
    return answer(input)
  }
  return { inputs, paged: createPagedCall<object, number>(request, { filter: 'x' }, paging) }
}

test('every convention yields all rows, and every page has the conditions of the first', async () => {
  for (const name of Object.keys(lists)) {
    const { inputs, paged } = call(name)
    const seen: number[] = []
    for await (const row of paged) seen.push(row)
    assert.deepEqual(seen, rows, name)
    assert.ok(inputs.length >= 3 && inputs.every(({ filter }) => filter === 'x'), name)
  }
})

test('a list is a promise of its first page, which is requested once', async () => {
  const { inputs, paged } = call('page')
  assert.deepEqual(await paged, { content: [0, 1, 2], last: false, page: undefined })
  assert.deepEqual(await paged.all({ max: 2 }), [0, 1])
  assert.equal(inputs.length, 1)
  assert.deepEqual(await paged.all({ max: 4 }), [0, 1, 2, 3])
  assert.deepEqual(await paged.all({ max: 0 }), [])
  assert.equal(inputs.length, 2)
  const pages: object[] = []
  for await (const page of paged.pages()) pages.push(page)
  assert.equal(pages.length, 3)
})

test('an empty list ends at once, and a failure of the first page rejects whoever waits for it', async () => {
  const empty = createPagedCall(async () => ({ items: [], total: 9 }), {}, 'offset')
  assert.deepEqual(await empty.all(), [])
  const failing = createPagedCall(() => Promise.reject(new Error('refused')), {}, 'offset')
  await assert.rejects(failing, /refused/)
  await assert.rejects(failing.all(), /refused/)
})

test('a list that can be continued later ends where it has no more rows', async () => {
  const answers = [
    { events: [1], next: 'a' },
    { events: [], next: 'b' },
    { events: [2], next: 'c' },
  ]
  let calls = 0
  const request = async (): Promise<object> => answers[calls++] ?? { events: [], next: 'c' }
  assert.deepEqual(await createPagedCall<object, number>(request, { order: 'oldest' }, 'token').all(), [1, 2])
  assert.equal(calls, 4)
})
