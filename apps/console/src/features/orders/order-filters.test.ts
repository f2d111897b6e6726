import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFiltered, parseOrderFilters, toListInput } from './order-filters.ts'

test('filters of a URL become those of the call', () => {
  const filters = parseOrderFilters({ status: 'open', project: 'p', name: 2024, page: 3, v: '1,2,3' })
  assert.deepEqual(toListInput(filters), {
    size: 20,
    page: 3,
    status: 'CREATED,BEING_PLACED,PLACED,PLACEMENT_FAILED,BEING_FULFILLED',
    workspaceId: 'p',
    displayName: '2024',
  })
})

test('a parameter that is not a filter is ignored', () => {
  const filters = parseOrderFilters({ status: 'toString', project: true, name: '', page: -1 })
  assert.deepEqual(filters, {})
  assert.equal(isFiltered(filters), false)
})
