import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortEntries, type InboxEntry } from './inbox-entry.ts'

const entry = (id: string, deadline: string | null): InboxEntry => ({ id, deadline, kind: 'agreement' }) as InboxEntry

test('the most urgent entry is first, and those without a deadline are last', () => {
  const entries = [entry('open', null), entry('later', '2026-07-02T00:00:00Z'), entry('soon', '2026-07-01T00:00:00Z'), entry('other', null)] // prettier-ignore
  assert.deepEqual(
    sortEntries(entries).map(({ id }) => id),
    ['soon', 'later', 'open', 'other'],
  )
})
