import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deliverItem, openTestServices } from '../../../../test/test-services.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { parseCql2 } from './cql2/parse.ts'
import { unfilteredSearch } from './search.ts'
import { listFoundFeatureRows } from './store.search.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let runFilter: (filter: unknown) => Promise<unknown>

const item_count = 12
const longText = 'Éàß'.repeat(40_000)

before(async () => {
  app = await openTestServices()
  const { owner, project, organization } = await app.createOrganization()
  for (let index = 0; index < item_count; index++)
    await deliverItem(owner, project, { name: `item ${index}`, properties: { p: longText, q: 'Été' } })
  const page = { limit: 10, offset: 0, after: null, now: app.clock.forOrganization(organization).now() }
  runFilter = (filter) =>
    listFoundFeatureRows(app.database.forItemSearch(organization), organization, {
      ...unfilteredSearch,
      ...page,
      projects: toSearchableProjectsSql(owner),
      filter: parseCql2(filter),
    })
})

after(() => app.close())

const folded = (of: unknown): unknown => ({ op: 'casei', args: [{ op: 'accenti', args: [of] }] })
const notLike = (property: string, index: number): unknown => ({
  op: 'not',
  args: [{ op: 'like', args: [folded({ property }), folded(`%never${index}%`)] }],
})
const allOf = (property: string, count: number): unknown => ({
  op: 'and',
  args: Array.from({ length: count }, (_, index) => notLike(property, index)),
})

/** The messages of an error and of its causes. */
const messagesOf = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...messagesOf(error.cause)] : []

test('a search whose conditions on long texts take too long ends by itself, since the embedded database cannot be interrupted', async () => {
  await assert.rejects(
    runFilter(allOf('p', 9)),
    (error: Error & { failure?: string }) =>
      error.failure === 'search-too-long' && messagesOf(error).some((message) => message.includes('long texts')),
  )
})

test('such a condition on a short text of items that have long ones, too, is answered', async () => {
  const { matched } = (await runFilter(allOf('q', 1))) as { matched: number }
  assert.equal(matched, item_count)
})
