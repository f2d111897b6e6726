import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserSession } from '@swath/client/operations.ts'
import { findLastSession } from './last-session.ts'

const session = (client_id: string, organization_id: string, last_used_at: string): UserSession => ({
  id: last_used_at,
  kind: 'application',
  client_id,
  browser_session_id: null,
  organization_id,
  address: '192.0.2.1',
  user_agent: null,
  methods: [],
  current: false,
  created_at: last_used_at,
  last_used_at,
  expires_at: last_used_at,
})

test('the last use of a program is that of its newest session in the organization of the consent', () => {
  const sessions = [
    session('viewer', 'first', '2026-01-01T00:00:00Z'),
    session('viewer', 'first', '2026-03-01T00:00:00Z'),
    session('viewer', 'second', '2026-05-01T00:00:00Z'),
    session('other', 'first', '2026-06-01T00:00:00Z'),
  ]
  const consent = { client_id: 'viewer', organization_id: 'first' }
  assert.equal(findLastSession(sessions, consent)?.last_used_at, '2026-03-01T00:00:00Z')
  assert.equal(findLastSession(sessions, { ...consent, client_id: 'third' }), null)
})
