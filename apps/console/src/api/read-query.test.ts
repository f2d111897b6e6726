import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import type { Client } from '@swath/client/client.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { createListQuery, keepsRows } from './read-query.ts'

type Organizations = OutputOf<'admin.orgs.list'>

const answer = (name: string): Organizations => ({ organizations: [{ name }], total: 1 }) as unknown as Organizations

/** A client whose calls are answered by hand. */
function createManualClient() {
  const calls: { readonly resolve: (output: Organizations) => void; readonly reject: (error: Error) => void }[] = []
  const call = () => new Promise<Organizations>((resolve, reject) => calls.push({ resolve, reject }))
  return { client: { call } as unknown as Client, calls }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function observe(client: Client) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } })
  const observer = new QueryObserver(queries, createListQuery(client, 'admin.orgs.list', { search: 'a' }))
  const stop = observer.subscribe(() => undefined)
  return { observer, stop: () => (stop(), queries.clear()) }
}

test('a list keeps its rows, marked as a placeholder, until those of the next search have been read', async () => {
  const { client, calls } = createManualClient()
  const { observer, stop } = observe(client)
  calls[0]!.resolve(answer('Acme'))
  await settle()
  observer.setOptions(createListQuery(client, 'admin.orgs.list', { search: 'ab' }))
  const during = observer.getCurrentResult()
  assert.deepEqual(during.data, answer('Acme'))
  assert.equal(during.isPlaceholderData, true)
  calls[1]!.resolve(answer('Abel'))
  await settle()
  const after = observer.getCurrentResult()
  assert.deepEqual(after.data, answer('Abel'))
  assert.equal(after.isPlaceholderData, false)
  stop()
})

test('a list does not keep the rows of another search when its own cannot be read', async () => {
  const { client, calls } = createManualClient()
  const { observer, stop } = observe(client)
  calls[0]!.resolve(answer('Acme'))
  await settle()
  observer.setOptions(createListQuery(client, 'admin.orgs.list', { search: 'ab' }))
  calls[1]!.reject(new Error('unreachable'))
  await settle()
  assert.equal(observer.getCurrentResult().data, undefined)
  assert.equal(observer.getCurrentResult().isError, true)
  stop()
})

test('rows stay during another search of the same subject, and of no other subject or operation', () => {
  assert.equal(keepsRows('alerts.events.list', { rule_id: '1', limit: 20 }, { limit: 40, rule_id: '1' }), true)
  assert.equal(keepsRows('items.search_org', { limit: 10 }, { limit: 10, text: 'field' }), true)
  assert.equal(keepsRows('collections.list', { project_id: '1' }, { project_id: '2' }), false)
  assert.equal(keepsRows('stac.search', { ids: ['1'] }, { ids: ['1', '2'] }), false)
  assert.equal(keepsRows('organizations.members.spend.get', { userId: '1' }, { userId: '1', days: 2 }), false)
  assert.equal(keepsRows('orders.archive.estimate', { captures: [] }, { captures: [{}] }), false)
})
